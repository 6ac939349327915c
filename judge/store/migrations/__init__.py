"""The changes of the tables, step by step; `judge.store.schema.migrate` runs the steps that a database still lacks.

To change a table: change judge/store/tables.py, which is all that new databases need, run the tests (they name every
difference between the tables and what the steps make of older ones) and write the next file in `versions/`. Its
revision is its whole name, as `0002_weekdays` (at most 32 characters), its `down_revision` that of the file before it.
A step that was released is never edited.
"""
