"""FastAPI with fastapi-pagination: pages of 50 with a count, which is its default."""

from datetime import datetime

from fastapi import FastAPI
from fastapi_pagination import Page, add_pagination, paginate
from pydantic import BaseModel
from uvicorn import run

from data import PORT, records


class AppGroup(BaseModel):
    id: int
    name: str
    description: str | None


class License(BaseModel):
    type: str
    total_count: int
    available_count: int


class Player(BaseModel):
    id: int
    name: str
    box_id: str
    license_type: str
    last_access: datetime
    post_code: str
    is_installed: bool
    latitude: float | None
    created: datetime


class Screen(BaseModel):
    id: int
    number: int
    is_on: bool
    display_name: str
    last_status_change: datetime


class Transfer(BaseModel):
    id: int
    file_name: str
    size_bytes: int
    queued_at: datetime


app = FastAPI()


@app.get("/app-groups")
def app_groups() -> Page[AppGroup]:
    return paginate(records("app_groups"))


@app.get("/licenses")
def licenses() -> Page[License]:
    return paginate(records("licenses"))


@app.get("/players")
def players() -> Page[Player]:
    return paginate(records("players"))


@app.get("/players/{player_id}/screens")
def screens(player_id: int) -> Page[Screen]:
    return paginate(records("screens", player_id))


@app.get("/players/{player_id}/transfers")
def transfers(player_id: int) -> Page[Transfer]:
    return paginate(records("pending_file_transfers", player_id))


add_pagination(app)
run(app, port=PORT, log_level="warning")
