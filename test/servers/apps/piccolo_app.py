"""Piccolo's CRUD endpoints: 15 records a page unless asked otherwise, and no word of more."""

import asyncio

from piccolo.columns import BigInt, Boolean, Integer, Real, Varchar
from piccolo.engine.sqlite import SQLiteEngine
from piccolo.table import Table, create_db_tables
from piccolo_api.crud.endpoints import PiccoloCRUD
from starlette.routing import Mount, Router
from uvicorn import run

from data import DATA, FOLDER, PORT

DB = SQLiteEngine(path=f"{FOLDER}/db.sqlite3")


class AppGroup(Table, db=DB, tablename="app_groups"):
    name = Varchar()
    description = Varchar(null=True, default=None)


class License(Table, db=DB, tablename="licenses"):
    type = Varchar()
    total_count = Integer()
    available_count = Integer()


class Player(Table, db=DB, tablename="players"):
    name = Varchar()
    box_id = Varchar()
    license_type = Varchar()
    last_access = Varchar()
    post_code = Varchar()
    is_installed = Boolean()
    latitude = Real(null=True, default=None)
    created = Varchar()


class Screen(Table, db=DB, tablename="screens"):
    player_id = Integer()
    number = Integer()
    is_on = Boolean()
    display_name = Varchar()
    last_status_change = Varchar()


class Transfer(Table, db=DB, tablename="pending_file_transfers"):
    player_id = Integer()
    file_name = Varchar()
    size_bytes = BigInt()
    queued_at = Varchar()


TABLES = {"app-groups": AppGroup, "licenses": License, "players": Player, "screens": Screen, "transfers": Transfer}


async def fill():
    await create_db_tables(*TABLES.values())
    for table in TABLES.values():
        rows = [table(**record) for record in DATA[table._meta.tablename]]
        for begin in range(0, len(rows), 50):
            await table.insert(*rows[begin : begin + 50])


asyncio.run(fill())
run(
    Router([Mount(f"/{path}", PiccoloCRUD(table, read_only=True)) for path, table in TABLES.items()]),
    port=PORT,
    log_level="warning",
)
