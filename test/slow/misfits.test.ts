import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

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
    const cures = [{ choices: ['varchar'], when: expect.stringContaining('`schema apply`') }];
    expect((await asked(lab, 22, half)).questions).toMatchObject([{ cures }]);
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

  interface Seen {
    readonly type?: string;
    readonly format?: string;
  }
  it.each<readonly [string, Seen, (id: number) => unknown, string, readonly [string, string]]>([
    ['36', { type: 'bigint' }, (id) => (id === 5 ? '12' : `L-${id}`), 'x-99 and x-9', ['type', 'varchar']],
    ['37', { format: 'DD.MM.YYYY' }, (id) => 1_795_182_047 + id, '9999999999', ['format', 'unix-seconds']],
    ['37', { type: 'double' }, (id) => id % 2 === 0, 'true and false', ['type', 'boolean']],
  ])('the message shows what fits: %s of %j', async (count, seen, of, such, [cure, choice]) => {
    await using lab = await signageViewLab(columnsOf({ seen }));
    const said = players((id) => ({ Seen: of(id) }));
    const { status, questions } = await asked(lab, 20, said);
    expect(status).toBe('partial');
    const says = `${count} values are not of the type ${seen.type ?? 'date'} that the config names, such as ${such}. Such cells are empty; the originals are in the table rejects`;
    expect(questions[0]?.says).toBe(says);
    const setting = `resources.players.columns.seen.${cure}`;
    expect(questions[0]?.cures[0]).toMatchObject({ setting, choices: [choice] });
    const kept = 'select (select count(seen) from players)::int + count(*)::int from rejects';
    expect(await lab.flat(kept)).toEqual([37]);
  });

  it.each<readonly [string, (id: number) => unknown, string, readonly [string, ...string[]]]>([
    ['words', (id) => (id % 2 === 0 ? 'ON' : 'STANDBY'), 'xx and xxxxxxx', ['values']],
    ['numbers', (id) => id % 2, '9', ['type', 'boolean']],
  ])('a name by `as` whose type no value has is told on each day: %s', async (_, power, such, cure) => {
    await using lab = await signageViewLab(columnsOf({ power: { as: 'is_installed' } }));
    const said = players((id) => ({ Power: power(id) }));
    for (const day of [20, 21]) {
      const { status, questions } = await asked(lab, day, said);
      const says = `37 values are not of the type boolean that views need of is_installed, such as ${such}. The views show them as unknown`;
      expect([status, questions.map((each) => each.says)]).toEqual(['partial', [says]]);
      const [of, ...choices] = cure;
      const setting = `resources.players.columns.power.${of}`;
      expect(questions[0]?.cures[0]).toMatchObject({ setting, choices });
    }
  });

  it('a flag that becomes words is told with the setting that says what they mean, and it works', async () => {
    const body = (on: unknown, off: unknown) =>
      IDS.map((Id) => ({ Id, IsLicensed: Id % 2 === 0 ? on : off }));
    const flags = (on: unknown, off: unknown) => fleetRoutes(body(on, off), () => []);
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
    expect(await lab.flat('select count_if(is_licensed)::int from players')).toEqual([18]);
  });
});

it('a setting for a column that no record has is named with the nearest name', async () => {
  await using lab = await signageViewLab(columnsOf({ last_acess: { type: 'varchar' } }));
  const says = expect.stringContaining('"last_acess", which no record has; the nearest name is last_access');
  const said = players(() => ({ LastAccess: '2026-11-20T02:00:00Z' }));
  const questions = [{ code: 'COLUMN_UNKNOWN', says }];
  expect(await asked(lab, 20, said)).toMatchObject({ status: 'complete', questions });
});

describe('a time zone that puts the last contacts after the run', () => {
  const RUN = Date.parse(at(20));
  const local = (ms: number) => new Date(RUN + ms).toISOString().slice(0, 19).replace('T', ' ');
  const seen = (at: (id: number) => string) => players((id) => ({ LastAccess: at(id) }));
  const ago = (hours: number) => seen((id) => local(hours * HOUR_MS - id * 60_000));

  it.each([
    ['the right one', 'Europe/Moscow', ago(3)],
    ['a server with a clock that is 20 minutes ahead', 'Europe/Berlin', ago(4 / 3)],
    ['one player with a wrong clock', 'Europe/Berlin', seen((id) => local((id === 3 ? 3 : 1) * HOUR_MS))],
    ['times with a zone of their own', 'America/New_York', seen(() => '2026-11-20T02:59:00Z')],
    ['planned times', 'Europe/Berlin', players((id) => ({ NextContact: local(HOUR_MS * id) }))],
  ])('is not told of: %s', async (_, timeZone, said) => {
    await using lab = await signageViewLab({ signage: { timeZone } });
    expect(await asked(lab, 20, said)).toMatchObject(COMPLETE);
  });
});
