"""The judge at work as a process: the daemon's main thread, the worker that sends and draws, the alarm clock, the locks."""
