"""The daemon and its threads, which answer letters, process phases, send, draw and clean up."""
