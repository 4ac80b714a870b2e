import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#simulator/json.ts';
import { hostileData } from '#simulator/profiles/hostile-data.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { type Listing, recordsOf } from '#simulator/world/listing.ts';
import { call, SIGNAGE } from './client.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ players: 420, profile: 'hostile-data' });
});
afterAll(() => simulator.close());

const PLAYERS = `${SIGNAGE}/Players`;

function textsOf(listing: Listing | undefined): string[] {
  return listing === undefined ? [] : [...recordsOf(hostileData.served(listing))].map(hostileData.text);
}

describe('hostile-data', () => {
  it('sends the records byte for byte as it says', async () => {
    const body = await (await call(simulator, PLAYERS)).text();
    const texts = textsOf(simulator.world.at(0).listing('players'));
    expect(body).toBe(`[${texts.join(',')}]`);
    expect(texts).toHaveLength(421);
    expect(texts[420]).toBe(texts[5]);
  });

  it('holds numbers beyond doubles, halves of pairs, NUL, a key twice, depth and long text', async () => {
    const body = await (await call(simulator, PLAYERS)).text();
    for (const part of [
      '1e400',
      '18446744073709551',
      '\\ud83d"',
      '\\u0000',
      '"Twice":"first"',
      '-0.0',
      '=cmd|',
    ]) {
      expect(body).toContain(part);
    }
    expect(body).toContain('{"down":'.repeat(50));
    expect(Math.max(...body.split('"LongText":').map((part) => part.indexOf('Ende"')))).toBeGreaterThan(
      90_000,
    );
    const keys = new Set(
      (JSON.parse(body) as JsonObject[]).flatMap((record) => Object.keys(record.Labels ?? {})),
    );
    expect(keys.size).toBeGreaterThan(40);
  });

  it('changes kinds between records, pages and days', () => {
    const kinds = (key: string, day: number) => {
      const listing = simulator.world.at(day).listing('players');
      const records = textsOf(listing).map((text) => JSON.parse(text) as JsonObject);
      return records.map((record) => typeof record[key]);
    };
    expect(new Set(kinds('Mixed', 0)).size).toBeGreaterThan(3);
    expect(new Set(kinds('PerPage', 0).slice(0, 50))).toEqual(new Set(['number']));
    expect(new Set(kinds('PerPage', 0).slice(50, 100))).toEqual(new Set(['string']));
    expect([kinds('PerDay', 0)[0], kinds('PerDay', 1)[0]]).toEqual(['number', 'string']);
    const counters = kinds('Counter', 0);
    expect(counters.filter((kind) => kind === 'string').length / counters.length).toBeLessThan(0.01);
    expect(kinds('OnlyAtTheEnd', 0).filter((kind) => kind === 'string')).toHaveLength(1);
  });

  it('begins some answers with a BOM and compresses others', async () => {
    const bytes = Buffer.from(await (await call(simulator, `${SIGNAGE}/Licenses`)).arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect((await call(simulator, PLAYERS)).headers.get('content-encoding')).toBe('gzip');
    expect((await call(simulator, `${SIGNAGE}/AppGroups`)).headers.get('content-encoding')).toBe(null);
  });
});
