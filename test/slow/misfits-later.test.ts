import { describe, expect, it } from 'vitest';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const SEEN = '2026-11-10T02:00:00Z';
const served = (more: (id: number) => object) => ({
  [`${SIGNAGE}/Players`]: {
    body: JSON.stringify(Array.from({ length: 12 }, (_, id) => ({ Id: id + 1, ...more(id) }))),
  },
});
const settings = (columns: object) => ({ signage: { resources: { players: { columns } } } });
const at = (day: number) => `2026-11-1${day}T03:00:00Z`;

describe('R12: what fits on one day and no longer on the next', () => {
  it('a flag that becomes words is told with the setting that says what they mean, and it works', async () => {
    const flags = (on: unknown, off: unknown) => served((id) => ({ IsLicensed: id % 2 === 0 ? on : off }));
    await using lab = await signageLab(flags(true, false));
    await lab.run(at(0));
    lab.answer(flags('ja', 'nein'));
    const { status, sources } = await lab.run(at(1));
    expect([status, sources[0]?.questions[0]?.cures[0]]).toMatchObject([
      'partial',
      { setting: 'resources.players.columns.is_licensed.values' },
    ]);
    const values = { ja: true, nein: false };
    const answered = await lab.run(at(2), undefined, settings({ is_licensed: { values } }));
    expect([answered.status, answered.sources[0]?.questions]).toEqual(['complete', []]);
    expect(await lab.rows('select count_if(is_licensed)::int as n from players')).toEqual([{ n: 6 }]);
  });

  it('values that lose their type are not known since then, and nobody was never seen', async () => {
    await using lab = await signageLab(served(() => ({ LastAccess: SEEN })));
    await lab.run(at(0));
    lab.answer(served(() => ({ LastAccess: 'about noon' })));
    for (const day of [1, 2]) {
      const { status, sources } = await lab.run(at(day));
      expect([status, sources[0]?.questions.map(({ code }) => code)]).toEqual(['partial', ['TYPE_MISFIT']]);
    }
    await using tables = await openTables(lab.lake);
    const said = (await notKnown(tables)).get('player_health') ?? [];
    expect(said.map((each) => told(each)).join()).toContain('Not known since 2026-11-11');
    expect(await lab.rows('select health, count(*)::int as n from player_health group by 1')).toEqual([
      { health: 'unknown', n: 12 },
    ]);
    lab.answer(served(() => ({ LastAccess: SEEN })));
    expect((await lab.run(at(3))).status).toBe('complete');
  });

  it('a setting for a column that no record has is named with the nearest name', async () => {
    await using lab = await signageLab(served(() => ({ LastAccess: SEEN })));
    const { status, sources } = await lab.run(
      at(0),
      undefined,
      settings({ last_acess: { type: 'varchar' } }),
    );
    expect([status, sources[0]?.questions]).toMatchObject([
      'complete',
      [
        {
          code: 'COLUMN_UNKNOWN',
          says: expect.stringContaining('"last_acess", which no record has; the nearest name is last_access'),
        },
      ],
    ]);
  });
});
