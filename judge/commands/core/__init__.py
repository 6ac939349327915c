"""What every command needs: the lines of the command table, the visit, its answers, the reader of letters."""
