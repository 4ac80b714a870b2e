import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunSummary } from '#lib/run/summary.ts';
import { type FixtureLab, fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';

const text = (name: string) => readFileSync(new URL(`../fixtures/samples/${name}`, import.meta.url), 'utf8');
const json = (name: string) => JSON.parse(text(name));

const PLAYERS = 'grassfish-players__six-players-mixed-issues.json';
const STORAGES = 'infomaniak-swiss-backup-products__products-healthy.json';
const SLOTS = 'infomaniak-swiss-backup-devices__devices-locked.json';

/** Each storage's recorded answer, told by the name that the recorder added to it. */
function slotRoutes(): Routes {
  const ids = new Map<string, number>(
    json(STORAGES).data.map((storage: { id: number; customer_name: string }) => [
      storage.customer_name,
      storage.id,
    ]),
  );
  return Object.fromEntries(
    json(SLOTS).map((answer: { product_customer_name: string }) => [
      `/0/backup/${ids.get(answer.product_customer_name)}/slot`,
      { body: JSON.stringify(answer) },
    ]),
  );
}

let lab: FixtureLab;
let summary: RunSummary;

beforeAll(async () => {
  lab = await fixtureLab({
    [`${SIGNAGE}/Players`]: { body: text(PLAYERS) },
    [`${SIGNAGE}/Licenses`]: { body: text('grassfish-licenses__licenses-available.json') },
    [`${SIGNAGE}/Players/111/Screens`]: { body: text('grassfish-screens__two-screens-off-screens.json') },
    [`${SIGNAGE}/Players/112/Screens`]: { body: text('grassfish-screens__one-screen-off-screens.json') },
    '/1/backup': { body: text(STORAGES) },
    ...slotRoutes(),
  });
  summary = await lab.run('2026-11-20T03:00:00Z');
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('answers recorded from real installations are exported whole', () => {
  it('with every row', () => {
    expect(summary.status).toBe('complete');
    const rows = Object.fromEntries(
      Object.entries(summary.tables).map(([name, table]) => [name, table.rows]),
    );
    const slots = json(SLOTS).reduce((sum: number, { data }: { data: unknown[] }) => sum + data.length, 0);
    const ofStorages = { backup_storages: json(STORAGES).data.length, backup_slots: slots };
    expect(rows).toMatchObject({ players: json(PLAYERS).length, licenses: 6, screens: 3, ...ofStorages });
    expect(slots).toBe(17);
  });

  it('and nothing is asked about pages, places of records or what stands beside them, on the next day either', async () => {
    const next = await lab.run('2026-11-21T03:00:00Z');
    for (const { sources } of [summary, next]) {
      const settings = sources.flatMap(({ questions }) =>
        questions.flatMap(({ cures }) => cures.map(({ setting }) => setting)),
      );
      expect(settings.filter((setting) => /\.(items|paging|ignore|complete|id)$/.test(setting))).toEqual([]);
    }
    expect(next.status).toBe('complete');
    expect(next.sources.flatMap(({ drift }) => drift)).toEqual([]);
  });

  it('two screens under one id are two rows with keys of their own', async () => {
    const screens = await lab.rows(
      "select record_key, id, number from screens where player_id = '111' order by number",
    );
    expect(screens).toEqual([
      { record_key: '111/1', id: 3081, number: 1 },
      { record_key: '111/2', id: 3081, number: 2 },
    ]);
  });

  it('nothing is rejected', async () => {
    expect(await lab.rows('select * from rejects')).toEqual([]);
  });
});
