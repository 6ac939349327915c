"""When a phase is due: dates, absences, reminders, lateness, pauses, the schedule of the open phase."""
