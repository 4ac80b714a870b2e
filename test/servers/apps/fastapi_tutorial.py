"""FastAPI as its official tutorial on SQL databases has it: offset and limit, 100 unasked, a bare list."""

from typing import Annotated

from fastapi import FastAPI, Query
from sqlalchemy import select
from sqlalchemy.orm import Session
from uvicorn import run

import sql
from data import PORT

app = FastAPI()
Limit = Annotated[int, Query(le=100)]


def page_of(statement, offset: int, limit: int):
    with Session(sql.engine) as session:
        return session.scalars(statement.offset(offset).limit(limit)).all()


@app.get("/app-groups")
def app_groups(offset: int = 0, limit: Limit = 100):
    return page_of(select(sql.AppGroup), offset, limit)


@app.get("/licenses")
def licenses(offset: int = 0, limit: Limit = 100):
    return page_of(select(sql.License), offset, limit)


@app.get("/players")
def players(offset: int = 0, limit: Limit = 100):
    return page_of(select(sql.Player), offset, limit)


@app.get("/players/{player_id}/screens")
def screens(player_id: int, offset: int = 0, limit: Limit = 100):
    return page_of(select(sql.Screen).where(sql.Screen.player_id == player_id), offset, limit)


@app.get("/players/{player_id}/transfers")
def transfers(player_id: int, offset: int = 0, limit: Limit = 100):
    return page_of(select(sql.Transfer).where(sql.Transfer.player_id == player_id), offset, limit)


run(app, port=PORT, log_level="warning")
