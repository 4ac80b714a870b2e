"""Litestar with the paginator that argv[4] names: classic (pages), offset or cursor, pages of 20."""

import sys
from typing import Any

from litestar import Litestar, get
from litestar.di import Provide
from litestar.pagination import (
    AbstractSyncClassicPaginator,
    AbstractSyncCursorPaginator,
    AbstractSyncOffsetPaginator,
    ClassicPagination,
    CursorPagination,
    OffsetPagination,
)
from uvicorn import run

from data import PORT, records

KIND = sys.argv[4]


class Pages(AbstractSyncClassicPaginator[dict]):
    def __init__(self, rows):
        self.rows = rows

    def get_total(self, page_size: int) -> int:
        return -(-len(self.rows) // page_size)

    def get_items(self, page_size: int, current_page: int) -> list[dict]:
        return self.rows[(current_page - 1) * page_size : current_page * page_size]


class Offsets(AbstractSyncOffsetPaginator[dict]):
    def __init__(self, rows):
        self.rows = rows

    def get_total(self) -> int:
        return len(self.rows)

    def get_items(self, limit: int, offset: int) -> list[dict]:
        return self.rows[offset : offset + limit]


class Cursors(AbstractSyncCursorPaginator[int, dict]):
    def __init__(self, rows):
        self.rows = rows

    def get_items(self, cursor: int | None, results_per_page: int) -> tuple[list[dict], int | None]:
        after = [row for row in self.rows if cursor is None or row["id"] > cursor][:results_per_page]
        return after, after[-1]["id"] if after else None


def pages(rows: list[dict], page_size: int = 20, current_page: int = 1) -> ClassicPagination[dict]:
    return Pages(rows)(page_size=page_size, current_page=current_page)


def offsets(rows: list[dict], limit: int = 20, offset: int = 0) -> OffsetPagination[dict]:
    return Offsets(rows)(limit=limit, offset=offset)


def cursors(rows: list[dict], cursor: int | None = None, results_per_page: int = 20) -> CursorPagination[int, dict]:
    return Cursors(rows)(cursor=cursor, results_per_page=results_per_page)


listed = {"listed": Provide({"classic": pages, "offset": offsets, "cursor": cursors}[KIND], sync_to_thread=False)}


def rows_of(table, player_id=None):
    return Provide(lambda: records(table, player_id), sync_to_thread=False)


@get("/app-groups", dependencies={"rows": rows_of("app_groups"), **listed}, sync_to_thread=False)
def app_groups(listed: Any) -> Any:
    return listed


@get("/licenses", dependencies={"rows": rows_of("licenses"), **listed}, sync_to_thread=False)
def licenses(listed: Any) -> Any:
    return listed


@get("/players", dependencies={"rows": rows_of("players"), **listed}, sync_to_thread=False)
def players(listed: Any) -> Any:
    return listed


def screens_of(player_id: int) -> list[dict]:
    return records("screens", player_id)


def transfers_of(player_id: int) -> list[dict]:
    return records("pending_file_transfers", player_id)


@get(
    "/players/{player_id:int}/screens",
    dependencies={"rows": Provide(screens_of, sync_to_thread=False), **listed},
    sync_to_thread=False,
)
def screens(listed: Any) -> Any:
    return listed


@get(
    "/players/{player_id:int}/transfers",
    dependencies={"rows": Provide(transfers_of, sync_to_thread=False), **listed},
    sync_to_thread=False,
)
def transfers(listed: Any) -> Any:
    return listed


run(Litestar([app_groups, licenses, players, screens, transfers]), port=PORT, log_level="warning")
