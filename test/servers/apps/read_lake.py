"""Asks a lake's DuckDB file as people do, with nothing of ours: prints what each reader answers as JSON."""

import json
import sys

import duckdb
import pandas
import polars
import sqlalchemy

FILE, SQL = sys.argv[1], sys.argv[2]


def by_duckdb():
    with duckdb.connect(FILE, read_only=True) as connection:
        return connection.execute(SQL).fetchall()


def by_pandas():
    with duckdb.connect(FILE, read_only=True) as connection:
        frame = connection.sql(SQL).df()
    assert isinstance(frame, pandas.DataFrame)
    return frame.values.tolist()


def by_polars():
    with duckdb.connect(FILE, read_only=True) as connection:
        frame = connection.sql(SQL).pl()
    assert isinstance(frame, polars.DataFrame)
    return frame.rows()


def by_sqlalchemy():
    engine = sqlalchemy.create_engine(f"duckdb:///{FILE}", connect_args={"read_only": True})
    views = sqlalchemy.inspect(engine).get_view_names()
    assert "screen_status" in views, views
    with engine.connect() as connection:
        return pandas.read_sql(sqlalchemy.text(SQL), connection).values.tolist()


ANSWERS = {"duckdb": by_duckdb, "pandas": by_pandas, "polars": by_polars, "sqlalchemy": by_sqlalchemy}
print(json.dumps({name: [list(row) for row in ask()] for name, ask in ANSWERS.items()}))
