"""What a server serves: python APP PORT DATA.json FOLDER, the folder for its database."""

import json
import sys

PORT = int(sys.argv[1])
FOLDER = sys.argv[3]

with open(sys.argv[2], encoding="utf-8") as file:
    DATA = json.load(file)


def records(table, player_id=None):
    """The records of a table, of one player where it is named."""
    return [each for each in DATA[table] if player_id is None or each["player_id"] == player_id]
