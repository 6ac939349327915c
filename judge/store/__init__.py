"""The database: tables, migrations, letters in and mails out; all SQL is here."""
