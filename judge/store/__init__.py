"""The database, with its tables, its migrations and all SQL of the judge."""
