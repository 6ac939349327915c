"""The changes of the tables, step by step; `judge.store.engine.migrate` runs the steps that a database still lacks.

To change a table: change judge/store/tables.py, run the tests (they name every difference between the tables
and what the steps make) and write the next file in `versions/`. A step that was released is never edited;
its tables, filled (`python -m tests.store.filled 0015`), are one more start of the tests of upgrades.
"""
