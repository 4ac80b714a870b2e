import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCheck } from '#cli/check.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z', '2026-11-23T03:00:00Z'];
const IDS = Array.from({ length: 12 }, (_, index) => index + 1);
const SEEN = '2026-11-20T02:00:00Z';

const players = (more: (id: number) => object) => IDS.map((Id) => ({ Id, Name: `P${Id}`, ...more(Id) }));
const full = players(() => ({ LastAccess: SEEN }));
const empty = players(() => ({}));

async function said(lab: ViewLab, day: number, records: readonly object[], settings: object = {}) {
  const { status, sources } = await lab.run(DAYS[day] ?? '', { players: records, ...settings });
  return { status, questions: sources[0]?.questions ?? [] };
}

async function healthOf(lab: ViewLab) {
  return await lab.cells('select health, count(*)::int from player_health group by 1 order by 1');
}

describe('R12: a column that empties in another way', () => {
  const codes = async (lab: ViewLab, day: number, ...records: [readonly object[], object?]) => {
    const { status, questions } = await said(lab, day, ...records);
    return [status, ...questions.map(({ column, says }) => `${column}: ${says}`)];
  };

  it('where some records never had a value, is told, and they are not never seen', async () => {
    await using lab = await signageViewLab();
    const never = '0001-01-01T00:00:00Z';
    await said(
      lab,
      0,
      players((id) => ({ LastAccess: id > 2 ? SEEN : never })),
    );
    expect(await codes(lab, 1, empty)).toEqual([
      'partial',
      'last_access: 0 of 12 records have a value; before 2026-11-21 it was 10 of 12',
    ]);
    expect(await healthOf(lab)).toEqual([['unknown', 12]]);
  });
});

describe('R12: a column that nearly all records had, and nearly none has, is told on its first day', () => {
  it.each([
    ['the field is gone', () => ({})],
    ['it is null', () => ({ LastAccess: null })],
    ['it is empty text', () => ({ LastAccess: '' })],
    ['one record still has it', (id: number) => (id === 1 ? { LastAccess: SEEN } : {})],
  ])('%s: the run is partial, and the views say unknown', async (_, more) => {
    await using lab = await signageViewLab();
    expect(await said(lab, 0, full)).toMatchObject({ status: 'complete', questions: [] });
    const left = players(more).filter((each) => 'LastAccess' in each && each.LastAccess === SEEN).length;
    const second = await said(lab, 1, players(more));
    expect(second.status).toBe('partial');
    expect(second.questions).toEqual([
      {
        ...{ code: 'COLUMN_EMPTIED', source: 'berlin', resource: 'players', column: 'last_access' },
        says: `${left} of 12 records have a value; before 2026-11-21 it was 12 of 12`,
        cures: [
          {
            setting: 'resources.players.columns.last_access.gone',
            choices: [true],
            when: 'the API no longer has it',
          },
        ],
      },
    ]);
    expect(await healthOf(lab)).toContainEqual(['unknown', 12 - left]);
    const [today] = await lab.rows("select * from daily_trend where export_date = '2026-11-21'");
    if (left === 0) expect(today).toMatchObject({ players_online: null, players_unknown: 12 });
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
    expect(questions[0]?.cures[0]).toEqual({
      setting: 'resources.players.columns.last_access_time.as',
      choices: ['last_access'],
      when: 'this is its new name',
    });
  });
});

describe('R12: the last access, which views need', () => {
  const forty = (more: (id: number) => object) =>
    Array.from({ length: 40 }, (_, id) => ({ Id: id + 1, Name: `P${id}`, ...more(id) }));

  it.each([
    ['nobody has it', () => ({})],
    ['all were seen never', () => ({ LastAccess: '0001-01-01T00:00:00Z' })],
  ])('is compared although a fifth never had it: %s', async (_, more) => {
    await using lab = await signageViewLab();
    const most = forty((id) => (id < 32 ? { LastAccess: SEEN } : {}));
    await said(lab, 0, most);
    const { status, questions } = await said(lab, 1, forty(more));
    expect([status, questions.map(({ code }) => code)]).toEqual(['partial', ['COLUMN_EMPTIED']]);
    expect(await healthOf(lab)).toEqual([['unknown', 40]]);
  });

  it('empties by no fleet that grows with players that were never seen', async () => {
    await using lab = await signageViewLab();
    await said(lab, 0, full);
    const more = forty((id) => (id < 12 ? { LastAccess: SEEN } : {})).flatMap((each) =>
      Array.from({ length: 5 }, (_, n) => ({
        ...each,
        Id: each.Id + 40 * n,
        ...(n > 0 && { LastAccess: null }),
      })),
    );
    expect(await said(lab, 1, more)).toMatchObject({ status: 'complete', questions: [] });
    expect(await healthOf(lab)).toEqual([
      ['never seen', 188],
      ['offline', 12],
    ]);
  });
});

describe('nothing is asked where', () => {
  it.each([
    ['half of the records lose it', full, players((id) => (id % 2 === 0 ? { LastAccess: SEEN } : {}))],
    ['few records had it', players((id) => (id < 4 ? { LastAccess: SEEN } : {})), empty],
    ['there are few records', full.slice(0, 5), empty.slice(0, 5)],
  ])('%s', async (_, before, after) => {
    await using lab = await signageViewLab();
    await said(lab, 0, before);
    expect(await said(lab, 1, after)).toMatchObject({ status: 'complete', questions: [] });
  });

  it('the config says that it is gone; that it is not known is told all the same', async () => {
    const resources = { players: { columns: { last_access: { gone: true } } } };
    await using lab = await signageViewLab({ signage: { resources } });
    await said(lab, 0, full);
    const run = await said(lab, 1, empty);
    expect(run).toMatchObject({ status: 'complete', questions: [] });
    expect(await healthOf(lab)).toEqual([['unknown', 12]]);
  });
});

it('check --write says of a column that has been empty since a run that it is gone, and the next run is complete', async () => {
  const of = (records: readonly object[]) => ({ [`${SIGNAGE}/Players`]: { body: JSON.stringify(records) } });
  await using lab = await signageLab(of(full), SIGNAGE_ALONE);
  await lab.run(DAYS[0] ?? '');
  expect((await lab.run(DAYS[1] ?? '', of(empty))).status).toBe('partial');
  await saidBy(addCheck, 'check', '--write', ...(await placesOf(lab)));
  const [source] = JSON.parse(await readFile(join(lab.folder, 'config.json'), 'utf8')).sources;
  expect(source.resources.players.columns).toEqual({ last_access: { gone: true } });
  const told = await lab.run(DAYS[2] ?? '', undefined, { ...SIGNAGE_ALONE, signage: source });
  expect(told).toMatchObject({ status: 'complete', sources: [{ questions: [] }] });
});
