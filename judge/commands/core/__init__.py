"""The parts that all commands share: the context, answers, permissions, the reader of letters."""
