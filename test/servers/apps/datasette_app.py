"""Datasette over a SQLite file of the data: rows as arrays, pages of 100."""

import sqlite3
import sys

from datasette.cli import cli

from data import DATA, FOLDER, PORT

FILE = f"{FOLDER}/signage.db"

with sqlite3.connect(FILE) as db:
    for table, rows in DATA.items():
        columns = list(rows[0])
        kinds = ["integer" if isinstance(value, (bool, int)) else "" for value in rows[0].values()]
        fields = [f"[{name}] {kind}" for name, kind in zip(columns, kinds, strict=True)]
        db.execute(f"create table {table} ({', '.join(fields)}, primary key (id))")
        marks = ", ".join("?" * len(columns))
        db.executemany(f"insert into {table} values ({marks})", [list(row.values()) for row in rows])

sys.argv = ["datasette", "serve", FILE, "--port", str(PORT), "--host", "127.0.0.1"]
cli()
