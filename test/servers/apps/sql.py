"""The tables of the data in SQLite, for the servers that stand on SQLAlchemy."""


from sqlalchemy import ForeignKey, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from data import DATA, FOLDER


class Base(DeclarativeBase):
    pass


class AppGroup(Base):
    __tablename__ = "app_groups"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    description: Mapped[str | None]


class License(Base):
    __tablename__ = "licenses"
    id: Mapped[int] = mapped_column(primary_key=True)
    type: Mapped[str]
    total_count: Mapped[int]
    available_count: Mapped[int]


class Player(Base):
    __tablename__ = "players"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    box_id: Mapped[str]
    license_type: Mapped[str]
    last_access: Mapped[str]
    post_code: Mapped[str]
    is_installed: Mapped[bool]
    latitude: Mapped[float | None]
    created: Mapped[str]


class Screen(Base):
    __tablename__ = "screens"
    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    number: Mapped[int]
    is_on: Mapped[bool]
    display_name: Mapped[str]
    last_status_change: Mapped[str]


class Transfer(Base):
    __tablename__ = "pending_file_transfers"
    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    file_name: Mapped[str]
    size_bytes: Mapped[int]
    queued_at: Mapped[str]


engine = create_engine(f"sqlite:///{FOLDER}/db.sqlite3", connect_args={"check_same_thread": False})
Base.metadata.create_all(engine)
with Session(engine) as filling:
    for model in (AppGroup, License, Player, Screen, Transfer):
        filling.add_all([model(**record) for record in DATA[model.__tablename__]])
    filling.commit()
