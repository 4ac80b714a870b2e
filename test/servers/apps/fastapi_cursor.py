"""FastAPI with fastapi-pagination's cursors over SQLAlchemy."""

from fastapi import FastAPI
from fastapi_pagination import add_pagination
from fastapi_pagination.cursor import CursorPage
from fastapi_pagination.ext.sqlalchemy import paginate
from pydantic import BaseModel, ConfigDict
from sqlalchemy import select
from sqlalchemy.orm import Session
from uvicorn import run

import sql
from data import PORT


class Row(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    id: int


class AppGroup(Row):
    name: str
    description: str | None


class License(Row):
    type: str
    total_count: int
    available_count: int


class Player(Row):
    name: str
    box_id: str
    license_type: str
    last_access: str
    post_code: str
    is_installed: bool
    latitude: float | None
    created: str


class Screen(Row):
    number: int
    is_on: bool
    display_name: str
    last_status_change: str


class Transfer(Row):
    file_name: str
    size_bytes: int
    queued_at: str


app = FastAPI()


def page_of(statement):
    with Session(sql.engine) as session:
        return paginate(session, statement)


@app.get("/app-groups")
def app_groups() -> CursorPage[AppGroup]:
    return page_of(select(sql.AppGroup).order_by(sql.AppGroup.id))


@app.get("/licenses")
def licenses() -> CursorPage[License]:
    return page_of(select(sql.License).order_by(sql.License.id))


@app.get("/players")
def players() -> CursorPage[Player]:
    return page_of(select(sql.Player).order_by(sql.Player.id))


@app.get("/players/{player_id}/screens")
def screens(player_id: int) -> CursorPage[Screen]:
    return page_of(select(sql.Screen).where(sql.Screen.player_id == player_id).order_by(sql.Screen.id))


@app.get("/players/{player_id}/transfers")
def transfers(player_id: int) -> CursorPage[Transfer]:
    return page_of(select(sql.Transfer).where(sql.Transfer.player_id == player_id).order_by(sql.Transfer.id))


add_pagination(app)
run(app, port=PORT, log_level="warning")
