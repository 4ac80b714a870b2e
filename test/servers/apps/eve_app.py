"""Eve over an in-memory MongoDB: pages of 25, links relative to the API's root, its own _id, _created, _updated, _etag."""

from datetime import UTC, datetime

import mongomock

mongomock.patch(servers=(("localhost", 27017),), on_new="create").start()

from bson import ObjectId  # noqa: E402
from eve import Eve  # noqa: E402

from data import DATA, PORT  # noqa: E402

TEXT, WHOLE, REAL, FLAG = ({"type": kind, "nullable": True} for kind in ("string", "integer", "float", "boolean"))
PLAYER = {"type": "objectid", "data_relation": {"resource": "players", "field": "_id"}}
OF_PLAYER = 'players/<regex("[a-f0-9]{24}"):player_id>'

SCHEMAS = {
    "app_groups": {"name": TEXT, "description": TEXT},
    "licenses": {"type": TEXT, "total_count": WHOLE, "available_count": WHOLE},
    "players": {
        "name": TEXT,
        "box_id": TEXT,
        "license_type": TEXT,
        "last_access": TEXT,
        "post_code": TEXT,
        "is_installed": FLAG,
        "latitude": REAL,
        "created": TEXT,
    },
    "screens": {
        "player_id": PLAYER,
        "number": WHOLE,
        "is_on": FLAG,
        "display_name": TEXT,
        "last_status_change": TEXT,
    },
    "pending_file_transfers": {"player_id": PLAYER, "file_name": TEXT, "size_bytes": WHOLE, "queued_at": TEXT},
}
URLS = {"screens": f"{OF_PLAYER}/screens", "pending_file_transfers": f"{OF_PLAYER}/transfers"}

app = Eve(
    settings={
        "MONGO_HOST": "localhost",
        "MONGO_PORT": 27017,
        "MONGO_DBNAME": "signage",
        "URL_PREFIX": "api",
        "RENDERERS": ["eve.render.JSONRenderer"],
        "DOMAIN": {name: {"schema": schema, "url": URLS.get(name, name)} for name, schema in SCHEMAS.items()},
    }
)


def stored(record):
    """Eve knows records by ObjectIds, and when each was put in."""
    ids = {"id": "_id", "player_id": "player_id"}
    own = {ids.get(key, key): ObjectId(f"{value:024x}") if key in ids else value for key, value in record.items()}
    put_in = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return {**own, "_created": put_in, "_updated": put_in, "_etag": f"{record['id']:040x}"}


with app.app_context():
    for name in SCHEMAS:
        app.data.driver.db[name].insert_many([stored(record) for record in DATA[name]])

app.run(port=PORT, threaded=True)
