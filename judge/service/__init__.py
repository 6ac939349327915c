"""The judge at work: the daemon's main thread, the worker that sends and draws, the locks."""
