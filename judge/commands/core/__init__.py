"""What every command needs: the command table, the context, answers, the reader of letters."""
