import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const IDS = Array.from({ length: 37 }, (_, index) => index + 1);
const players = (more: (id: number) => object) => ({ players: IDS.map((Id) => ({ Id, ...more(Id) })) });
const at = (day: number) => `2026-11-${day}T03:00:00Z`;
const columnsOf = (columns: object) => ({ signage: { resources: { players: { columns } } } });

/** The status of a run, and what it asks. */
async function asked(lab: ViewLab, day: number, said: object) {
  const { status, sources } = await lab.run(at(day), said);
  return { status, questions: sources[0]?.questions ?? [] };
}
const COMPLETE = { status: 'complete', questions: [] };
const misfit = (column: string) => ({ status: 'partial', questions: [{ code: 'TYPE_MISFIT', column }] });

describe('R12: values that do not have the type of their column are told on the first day', () => {
  it('18 of 37 numbers become text: the run is partial on each day, and the way forward works', async () => {
    await using lab = await signageViewLab();
    const numbers = players((id) => ({ LocationId: id }));
    const half = players((id) => ({ LocationId: id <= 18 ? `L-${id}` : id }));
    expect(await asked(lab, 20, numbers)).toMatchObject(COMPLETE);
    expect(await asked(lab, 21, half)).toMatchObject(misfit('location_id'));
    const { questions } = await asked(lab, 22, half);
    expect(questions).toMatchObject([
      { cures: [{ choices: ['varchar'], when: expect.stringContaining('`schema apply`') }] },
    ]);
    expect(await asked(lab, 23, numbers)).toMatchObject(COMPLETE);
  });

  it('times become text: they are not known since then, and nobody was never seen', async () => {
    await using lab = await signageViewLab();
    const seen = (LastAccess: string) => players(() => ({ LastAccess }));
    await asked(lab, 20, seen('2026-11-20T02:00:00Z'));
    for (const day of [21, 22])
      expect(await asked(lab, day, seen('about noon'))).toMatchObject(misfit('last_access'));
    using tables = await openTables(lab.lake);
    const said = (await notKnown(tables)).get('player_health') ?? [];
    expect(said.map((each) => told(each)).join()).toContain('Not known since 2026-11-21');
    expect(await lab.cells('select distinct health from player_health')).toEqual([['unknown']]);
    expect(await asked(lab, 23, seen('2026-11-20T02:00:00Z'))).toMatchObject(COMPLETE);
  });

  it.each<readonly [string, object, (id: number) => unknown, string, object]>([
    [
      'texts that are no numbers',
      { type: 'bigint' },
      (id) => (id === 5 ? '12' : `L-${id}`),
      '36 values are not of the type bigint that the config names, such as x-99 and x-9.',
      { setting: 'resources.players.columns.seen.type', choices: ['varchar'] },
    ],
    [
      'times that are written in another way',
      { format: 'DD.MM.YYYY' },
      (id) => 1_795_182_047 + id,
      '37 values are not of the type date that the config names, such as 9999999999.',
      { setting: 'resources.players.columns.seen.format', choices: ['unix-seconds'] },
    ],
    [
      'switches that are called numbers',
      { type: 'double' },
      (id) => id % 2 === 0,
      '37 values are not of the type double that the config names, such as true and false.',
      { setting: 'resources.players.columns.seen.type', choices: ['boolean'] },
    ],
  ])(
    'the message shows how they are written and what fits; the originals are in rejects: %s',
    async (_, seen, of, says, cure) => {
      await using lab = await signageViewLab(columnsOf({ seen }));
      const said = players((id) => ({ Seen: of(id) }));
      const { status, questions } = await asked(lab, 20, said);
      expect(status).toBe('partial');
      expect(questions[0]?.says).toBe(`${says} Such cells are empty; the originals are in the table rejects`);
      expect(questions[0]?.cures[0]).toMatchObject(cure);
      expect(
        await lab.cells('select (select count(seen) from players)::int + count(*)::int from rejects'),
      ).toEqual([[37]]);
    },
  );

  it.each<readonly [string, (id: number) => unknown, string, object]>([
    [
      'words',
      (id) => (id % 2 === 0 ? 'ON' : 'STANDBY'),
      'such as xx and xxxxxxx',
      { setting: 'resources.players.columns.power.values', choices: [] },
    ],
    [
      'numbers',
      (id) => id % 2,
      'such as 9',
      { setting: 'resources.players.columns.power.type', choices: ['boolean'] },
    ],
  ])('a name by `as` whose type no value has is told on each day: %s', async (_, power, such, cure) => {
    await using lab = await signageViewLab(columnsOf({ power: { as: 'is_installed' } }));
    const said = players((id) => ({ Power: power(id) }));
    for (const day of [20, 21]) {
      const { status, questions } = await asked(lab, day, said);
      const says = `37 values are not of the type boolean that views need of is_installed, ${such}. The views show them as unknown`;
      expect([status, questions.map((each) => each.says)]).toEqual(['partial', [says]]);
      expect(questions[0]?.cures[0]).toMatchObject(cure);
    }
  });

  it('a flag that becomes words is told with the setting that says what they mean, and it works', async () => {
    const flags = (on: unknown, off: unknown) => ({
      [`${SIGNAGE}/Players`]: {
        body: JSON.stringify(IDS.map((Id) => ({ Id, IsLicensed: Id % 2 === 0 ? on : off }))),
      },
    });
    await using lab = await signageLab(flags(true, false));
    await lab.run(at(20));
    const { status, sources } = await lab.run(at(21), flags('ja', 'nein'));
    expect([status, sources[0]?.questions[0]?.cures[0]]).toMatchObject([
      'partial',
      { setting: 'resources.players.columns.is_licensed.values' },
    ]);
    const values = { ja: true, nein: false };
    const answered = await lab.run(at(22), undefined, columnsOf({ is_licensed: { values } }));
    expect([answered.status, answered.sources[0]?.questions]).toEqual(['complete', []]);
    expect(await lab.rows('select count_if(is_licensed)::int as n from players')).toEqual([{ n: 18 }]);
  });
});

it('a setting for a column that no record has is named with the nearest name', async () => {
  await using lab = await signageViewLab(columnsOf({ last_acess: { type: 'varchar' } }));
  const says = expect.stringContaining('"last_acess", which no record has; the nearest name is last_access');
  expect(
    await asked(
      lab,
      20,
      players(() => ({ LastAccess: '2026-11-20T02:00:00Z' })),
    ),
  ).toMatchObject({
    status: 'complete',
    questions: [{ code: 'COLUMN_UNKNOWN', says }],
  });
});

describe('a time zone that puts the last contacts after the run', () => {
  const RUN = Date.parse(at(20));
  const local = (ms: number) => new Date(RUN + ms).toISOString().slice(0, 19).replace('T', ' ');
  const seen = (hours: number) => players((id) => ({ LastAccess: local(hours * HOUR_MS - id * 60_000) }));

  it.each([
    ['the right one', 'Europe/Moscow', seen(3)],
    ['a server with a clock that is 20 minutes ahead', 'Europe/Berlin', seen(4 / 3)],
    [
      'one player with a wrong clock',
      'Europe/Berlin',
      players((id) => ({ LastAccess: local(id === 3 ? 3 * HOUR_MS : HOUR_MS) })),
    ],
    [
      'times with a zone of their own',
      'America/New_York',
      players(() => ({ LastAccess: '2026-11-20T02:59:00Z' })),
    ],
    ['planned times', 'Europe/Berlin', players((id) => ({ NextContact: local(HOUR_MS * id) }))],
  ])('is not told of: %s', async (_, timeZone, said) => {
    await using lab = await signageViewLab({ signage: { timeZone } });
    expect(await asked(lab, 20, said)).toMatchObject(COMPLETE);
  });
});
