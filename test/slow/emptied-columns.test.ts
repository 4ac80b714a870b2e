import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCheck } from '#cli/check.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const SEEN = '2026-11-20T02:00:00Z';
const NEVER = '0001-01-01T00:00:00Z';
const SECONDS = Date.parse(SEEN) / 1000;
const at = (day: number) => `2026-11-${20 + day}T03:00:00Z`;
/** So many players, each with what it says beside its id. */
const fleet = (count: number, more: (id: number) => object) =>
  Array.from({ length: count }, (_, index) => ({ Id: index + 1, Name: `P${index}`, ...more(index + 1) }));
const players = (more: (id: number) => object) => fleet(12, more);
/** So many players, each with when it was seen. */
const seen = (at: (id: number) => unknown, count = 12) => fleet(count, (id) => ({ LastAccess: at(id) }));
const full = seen(() => SEEN);
const empty = players(() => ({}));
/** A fifth of them was never seen. */
const most = fleet(40, (id) => (id <= 32 ? { LastAccess: SEEN } : {}));

async function said(lab: ViewLab, day: number, records: readonly object[]) {
  const { status, sources } = await lab.run(at(day), { players: records });
  return { status, questions: sources[0]?.questions ?? [] };
}

const COMPLETE = { status: 'complete', questions: [] };
const healthOf = (lab: ViewLab) =>
  lab.cells('select health, count(*)::int from player_health group by 1 order by 1');

describe('R12: a column that nearly all records had, and nearly none has, is told on its first day', () => {
  it.each<readonly [string, readonly object[], readonly object[], string]>([
    ['the field is gone', full, empty, '0 of 12 12 of 12'],
    ['one record still has it', full, seen((id) => (id === 1 ? SEEN : undefined)), '1 of 12 12 of 12'],
    ['seconds that all become 0', seen((id) => SECONDS - 60 * id), seen(() => 0), '0 of 12 12 of 12'],
    ['some records never had a value', seen((id) => (id > 2 ? SEEN : NEVER)), empty, '0 of 12 10 of 12'],
    ['a fifth never had what views need, and nobody has it', most, fleet(40, () => ({})), '0 of 40 32 of 40'],
    ['a fifth never had it, and all were seen never', most, seen(() => NEVER, 40), '0 of 40 32 of 40'],
  ])('%s: the run is partial, and the views say unknown', async (_, before, after, counts) => {
    const [left = 0, all = 0, had] = counts.match(/\d+/g)?.map(Number) ?? [];
    await using lab = await signageViewLab();
    expect(await said(lab, 0, before)).toMatchObject(COMPLETE);
    const second = await said(lab, 1, after);
    expect(second.status).toBe('partial');
    const setting = 'resources.players.columns.last_access.gone';
    const asked = { code: 'COLUMN_EMPTIED', source: 'berlin', resource: 'players', column: 'last_access' };
    const says = `${left} of ${all} records have a value; before 2026-11-21 it was ${had} of ${all}`;
    const cures = [{ setting, choices: [true], when: 'the API no longer has it' }];
    expect(second.questions).toEqual([{ ...asked, says, cures }]);
    expect(await healthOf(lab)).toContainEqual(['unknown', all - left]);
    const online = 'select players_online is null, players_unknown from daily_trend';
    expect(await lab.flat(`${online} where export_date = '2026-11-21'`)).toEqual([left === 0, all - left]);
    using tables = await openTables(lab.lake);
    const sentences = (await notKnown(tables)).get('player_health') ?? [];
    expect(sentences.map((each) => told(each))).toEqual([
      'Not known since 2026-11-21: when a player was last seen (players.last_access of source berlin has no value).',
    ]);
  });

  it('a field of a similar name that is new is proposed as its new name', async () => {
    await using lab = await signageViewLab();
    await said(lab, 0, full);
    const renamed = players(() => ({ LastAccessTime: SEEN }));
    const { questions } = await said(lab, 1, renamed);
    const setting = 'resources.players.columns.last_access_time.as';
    const when = 'this is its new name';
    expect(questions[0]?.cures[0]).toEqual({ setting, choices: ['last_access'], when });
  });
});

describe('nothing is asked where', () => {
  it.each([
    ['half of the records lose it', full, seen((id) => (id % 2 === 0 ? SEEN : undefined))],
    ['few records had it', seen((id) => (id < 4 ? SEEN : undefined)), empty],
    ['there are few records', full.slice(0, 5), empty.slice(0, 5)],
    ['the fleet grows with unseen players', full, seen((id) => (id <= 12 ? SEEN : null), 200)],
  ])('%s', async (_, before, after) => {
    await using lab = await signageViewLab();
    await said(lab, 0, before);
    expect(await said(lab, 1, after)).toMatchObject(COMPLETE);
  });

  it('the config says that it is gone; that it is not known is told all the same', async () => {
    const resources = { players: { columns: { last_access: { gone: true } } } };
    await using lab = await signageViewLab({ signage: { resources } });
    await said(lab, 0, full);
    expect(await said(lab, 1, empty)).toMatchObject(COMPLETE);
    expect(await healthOf(lab)).toEqual([['unknown', 12]]);
  });

  it('it was full on one bad day alone; where it was so on two days, its loss is told', async () => {
    await using lab = await signageViewLab();
    const told = (id: number, text: string | null) => (id === 1 ? 'E7 of 1' : text && `${text} of ${id}`);
    const error = (text: string | null) => players((id) => ({ LastAccess: SEEN, LastError: told(id, text) }));
    for (const [day, text] of [null, null, 'E1', null, 'E2', null, 'E3', 'E3'].entries())
      expect(await said(lab, day, error(text))).toMatchObject(COMPLETE);
    expect(await said(lab, 8, error(null))).toMatchObject({ questions: [{ column: 'last_error' }] });
  });
});

it('licences do not say that none ran out where nobody says what is left', async () => {
  await using lab = await signageViewLab();
  for (const [day, more] of [{ AvailableCount: 4 }, {}].entries()) {
    const licenses = [1, 2, 3].map((Id) => ({ Id, Type: `T${Id}`, TotalCount: 9, ...more }));
    await lab.run(at(day), { players: empty, licenses });
  }
  const { news } = await reportOf(lab.lake, at(1));
  const counts = news.kinds.find(({ kind }) => kind === 'licences ran out')?.counts;
  expect(counts).toEqual({ '1': null, '7': null, '30': null });
});

it('check --write says of a column that has been empty since a run that it is gone, and the next run is complete', async () => {
  const of = (records: readonly object[]) => ({ [`${SIGNAGE}/Players`]: { body: JSON.stringify(records) } });
  await using lab = await signageLab(of(full));
  await lab.run(at(0));
  expect((await lab.run(at(1), of(empty))).status).toBe('partial');
  await saidBy(addCheck, 'check', '--write', ...(await placesOf(lab)));
  const [source] = JSON.parse(await readFile(join(lab.folder, 'config.json'), 'utf8')).sources;
  expect(source.resources.players.columns).toEqual({ last_access: { gone: true } });
  const last = await lab.run(at(2), undefined, { ...SIGNAGE_ALONE, signage: source });
  expect(last).toMatchObject({ status: 'complete', sources: [{ questions: [] }] });
});
