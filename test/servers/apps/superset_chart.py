"""Superset itself is asked for a chart over a lake's DuckDB file, by its own API, as its pages ask.

Takes the file, a view and the chart's query. For each line on stdin it answers a line of JSON: the rows.
"""

import json
import sys

from superset.app import create_app

FILE, VIEW, QUERY = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])

client = create_app().test_client()
headers = {}


def ask(path, body=None):
    answer = client.open(f"/api/v1/{path}", method="POST" if body else "GET", json=body, headers=headers)
    assert answer.status_code in (200, 201), (path, answer.status_code, answer.get_data(as_text=True))
    return answer.json


login = {"username": "admin", "password": "admin", "provider": "db"}
headers["Authorization"] = "Bearer " + ask("security/login", login)["access_token"]
headers["X-CSRFToken"] = ask("security/csrf_token/")["result"]

uri = f"duckdb:///{FILE}?access_mode=read_only"
database = ask("database/", {"database_name": "signage", "sqlalchemy_uri": uri})["id"]
dataset = ask("dataset/", {"database": database, "schema": "main", "table_name": VIEW})["id"]
chart = {"datasource": {"id": dataset, "type": "table"}, "queries": [QUERY], "force": True}
for _ in sys.stdin:
    print(json.dumps(ask("chart/data", chart)["result"][0]["data"]), flush=True)
