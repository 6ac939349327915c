"""How the tables came to be, step by step; `judge.store.engine.migrate` takes the steps a database still lacks.

To change a table: change judge/store/tables.py, run the tests (they name every difference between the tables
and what the steps make) and write the next file in `versions/`. A step that was released is never edited.
"""
