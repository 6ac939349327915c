"""The times of a phase: dates, absences, reminders, lateness, pauses, and the schedule of the open phase."""
