import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVED, type ServedResource } from '#simulator/kind.ts';
import { hostileData } from '#simulator/profiles/hostile-data.ts';
import { hostileIdText } from '#simulator/profiles/hostile-ids.ts';
import { recordsOf } from '#simulator/world/listing.ts';
import { type Exported, exportDays, timeOf } from '../values/export-days.ts';
import { lostValues, type Served } from '../values/lost-values.ts';

const DAYS = [0, 1];
const PAGE_SIZE = 16;
const COMPLETE = { complete: true } as const;

let exported: Exported;
beforeAll(async () => {
  exported = await exportDays({
    profile: 'hostile-data',
    // A player and a transfer are on two pages, and none is missing for it.
    settings: {
      signage: { resources: { players: COMPLETE, pending_file_transfers: COMPLETE } },
    },
    days: DAYS,
    world: { players: 24, pageSize: PAGE_SIZE, seed: 3 },
  });
});
afterAll(() => exported[Symbol.asyncDispose]());

function servedOn(day: number, resource: ServedResource): readonly (Served & { readonly page: number })[] {
  const today = exported.lab.simulator.world.at(day);
  const { parent } = SERVED.find(({ name }) => name === resource) ?? {};
  const parents =
    parent === null ? [undefined] : [...(parent === 'players' ? today.playerIds() : today.storageIds())];
  return parents.flatMap((id) => {
    const listing = today.listing(resource, id);
    return [...(listing === undefined ? [] : recordsOf(hostileData.served(listing)))].map(
      (record, index) => ({
        page: Math.floor(index / PAGE_SIZE),
        parentId: id === undefined ? null : hostileIdText(id),
        text: hostileData.text(record),
      }),
    );
  });
}

describe('every hostile value is in its cell or in rejects', () => {
  it('the runs are complete; where a tenth of a day’s values have another type than the day before, there is a doubt', () => {
    const { summaries } = exported;
    expect(summaries.map(({ status }) => status)).toEqual(['complete', 'partial']);
    expect(summaries.flatMap(({ sources }) => sources.flatMap(({ error }) => error ?? []))).toEqual([]);
  });

  for (const { name, kind } of SERVED) {
    it.each(DAYS)(`${name} on day %i`, async (day) => {
      const served = servedOn(day, name);
      // The second value of a key has a column of its own, with this path.
      const told = served.map(({ text, ...each }) => ({
        ...each,
        text: text.replace('"Twice":"second"', '"Twice\uFDD12":"second"'),
      }));
      // A record that is on an earlier page too, alike in each value, is one.
      const isSame = (a: Served, b: Served) => a.parentId === b.parentId && a.text === b.text;
      const isSeen = (each: (typeof told)[number]) =>
        told.some((other) => other.page < each.page && isSame(other, each));
      const lost = await lostValues({
        ...{ lake: exported.lab.lake, rows: exported.lab.rows, resource: name },
        source: kind === 'signage' ? 'berlin' : 'vault',
        served: told.filter((each) => !isSeen(each)),
        date: timeOf(day).slice(0, 10),
      });
      expect(lost.slice(0, 3)).toEqual([]);
      expect(served.length).toBeGreaterThan(0);
    });
  }
});
