"""When a phase is due: dates, absences, reminders, lateness, pauses, and the schedule of the open phase."""
