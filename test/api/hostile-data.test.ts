import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { parseExact } from '#lib/api/body/parse.ts';
import type { ListingEnd } from '#lib/api/listing.ts';
import type { RawRow } from '#lib/lake/raw/raw.ts';
import { SERVED, type Served } from '#simulator/kind.ts';
import { hostileData } from '#simulator/profiles/hostile-data.ts';
import { hostileIdText } from '#simulator/profiles/hostile-ids.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { recordsOf } from '#simulator/world/listing.ts';
import { someOf } from '../support/some-of.ts';
import { clientOf, fetchAll, sourceAt } from './support/serve.ts';

interface Got {
  readonly rows: readonly RawRow[];
  readonly end: ListingEnd;
  readonly records: readonly unknown[];
  readonly due: readonly unknown[];
}

/** Every listing of the simulator, those of 30 players and 5 storages included. */
async function* everything(simulator: Simulator): AsyncGenerator<Got> {
  const today = simulator.world.at(0);
  const parents = (resource: Served): readonly (number | undefined)[] => {
    if (resource.parent === null) return [undefined];
    return resource.parent === 'players'
      ? [...today.playerIds()].slice(0, 30)
      : [...today.storageIds()].slice(0, 5);
  };
  for (const resource of SERVED) {
    const source = sourceAt(simulator.url, { kind: resource.kind });
    const secret = resource.kind === 'signage' ? simulator.secrets.signage : simulator.secrets.backup;
    await using client = clientOf(source, { secrets: { read: async () => secret } });
    for (const parent of parents(resource)) {
      const listing = today.listing(resource.name, parent);
      if (listing === undefined) throw new Error('no such parent');
      const served = [...recordsOf(hostileData.served(listing))].map(hostileData.text);
      const parentId = parent === undefined ? null : hostileIdText(parent);
      yield { ...(await fetchAll({ client, source, resource, parentId })), due: served.map(parseExact) };
    }
  }
}

for (const pageSize of [undefined, 40]) {
  test(`hostile data is fetched whole ${pageSize === undefined ? 'in one page' : 'page by page'}, and DuckDB reads it`, async () => {
    const simulator = await startSimulator({ players: 230, profile: 'hostile-data', pageSize });
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    let listings = 0;
    for await (const { rows, end, records, due } of everything(simulator)) {
      listings += 1;
      expect(end).toMatchObject({
        outcome: due.length === 0 ? 'empty' : 'ok',
        items: due.length,
        message: null,
      });
      expect(records).toEqual(due);
      for (const { body, mended, recordsFrom, recordsTo, items } of someOf(rows)) {
        const sql = `
          select len(from_json(coalesce($1, case when $3 is null then $2
            else '[' || substr($2, $3::bigint + 1, $4::bigint - $3::bigint) || ']' end), '["JSON"]'))::integer`;
        const values = [mended, body?.toString() ?? '[]', recordsFrom, recordsTo].map((value) =>
          value === null ? null : String(value),
        );
        const [[count]] = (await connection.runAndReadAll(sql, values)).getRows() as [[number]];
        if (items > 0) expect(count).toBe(items);
      }
    }
    expect(listings).toBeGreaterThan(50);
    connection.closeSync();
    await simulator.close();
  });
}
