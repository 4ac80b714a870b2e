"""FastAPI with fastapi-hypermodel's HAL: records below _embedded each with its links."""

from collections.abc import Sequence

from fastapi import FastAPI
from fastapi_hypermodel import FrozenDict, HALFor, HALHyperModel, HALLinks, HALResponse
from uvicorn import run

from data import PORT, records


class AppGroup(HALHyperModel):
    id: int
    name: str
    description: str | None
    links: HALLinks = FrozenDict({"self": HALFor("app_groups")})


class License(HALHyperModel):
    type: str
    total_count: int
    available_count: int
    links: HALLinks = FrozenDict({"self": HALFor("licenses")})


class Player(HALHyperModel):
    id: int
    name: str
    box_id: str
    license_type: str
    last_access: str
    post_code: str
    is_installed: bool
    latitude: float | None
    created: str
    links: HALLinks = FrozenDict({"self": HALFor("players"), "screens": HALFor("screens", {"player_id": "<id>"})})


class Screen(HALHyperModel):
    id: int
    player_id: int
    number: int
    is_on: bool
    display_name: str
    last_status_change: str
    links: HALLinks = FrozenDict({"self": HALFor("screens", {"player_id": "<player_id>"})})


class Transfer(HALHyperModel):
    id: int
    player_id: int
    file_name: str
    size_bytes: int
    queued_at: str
    links: HALLinks = FrozenDict({"self": HALFor("transfers", {"player_id": "<player_id>"})})


class AppGroups(HALHyperModel):
    app_groups: Sequence[AppGroup]
    links: HALLinks = FrozenDict({"self": HALFor("app_groups")})


class Licenses(HALHyperModel):
    licenses: Sequence[License]
    links: HALLinks = FrozenDict({"self": HALFor("licenses")})


class Players(HALHyperModel):
    players: Sequence[Player]
    links: HALLinks = FrozenDict({"self": HALFor("players")})


class Screens(HALHyperModel):
    player_id: int
    screens: Sequence[Screen]
    links: HALLinks = FrozenDict({"self": HALFor("screens", {"player_id": "<player_id>"})})


class Transfers(HALHyperModel):
    player_id: int
    transfers: Sequence[Transfer]
    links: HALLinks = FrozenDict({"self": HALFor("transfers", {"player_id": "<player_id>"})})


app = FastAPI(default_response_class=HALResponse)
HALHyperModel.init_app(app)


def said(model, **fields):
    return HALResponse(model.model_validate(fields).model_dump(by_alias=True))


@app.get("/app-groups")
def app_groups():
    return said(AppGroups, app_groups=records("app_groups"))


@app.get("/licenses")
def licenses():
    return said(Licenses, licenses=records("licenses"))


@app.get("/players")
def players():
    return said(Players, players=records("players"))


@app.get("/players/{player_id}/screens")
def screens(player_id: int):
    return said(Screens, player_id=player_id, screens=records("screens", player_id))


@app.get("/players/{player_id}/transfers")
def transfers(player_id: int):
    return said(Transfers, player_id=player_id, transfers=records("pending_file_transfers", player_id))


run(app, port=PORT, log_level="warning")
