"""The judge at work as a process: the daemon's main thread, the courier that sends, the locks."""
