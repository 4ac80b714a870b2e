import { describe, expect, test } from 'vitest';
import { EXIT } from '#cli/exit.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import type { FixtureAnswer } from '#simulator/fixture-server.ts';
import { fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';
import { fleetRuns } from '../support/fleet-runs.ts';
import { someOf } from '../support/some-of.ts';

/* What is published and removed, and who is told, by the strength of what was seen. Each case is a fleet of its own. */

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'];
const runs = fleetRuns(DAYS, {});

type Source = RunSummary['sources'][number] | undefined;
type Records = readonly object[];

const named = (count: number, from = 1): Records =>
  Array.from({ length: count }, (_, index) => ({ Id: from + index, Name: `n${from + index}` }));
const reply = (body: unknown, headers?: Readonly<Record<string, string>>): FixtureAnswer => ({
  body: JSON.stringify(body),
  ...(headers && { headers: { 'content-type': 'application/json', ...headers } }),
});
const beside = (count: number, more: object, headers?: Readonly<Record<string, string>>) =>
  reply({ ...more, items: named(count) }, headers);

/** How strong what a run says of a listing is, and its codes. */
function saidOf(source: Source, resource: ResourceName) {
  const of = (said: readonly { readonly code: string; readonly resource: string }[] = []) =>
    said.filter((each) => each.resource === resource).map(({ code }) => code);
  return { exit: EXIT[source?.status ?? 'failed'], asks: of(source?.questions), notes: of(source?.notes) };
}

const SILENT = { exit: 0, asks: [], notes: [] };
const note = (...codes: readonly string[]) => ({ exit: 0, asks: [], notes: codes });
const failure = (code: string) => ({ exit: 1, asks: [code], notes: [] });
const doubt = (code: string, ...notes: readonly string[]) => ({ exit: 3, asks: [code], notes });

describe('R9: what was seen is a contradiction, a doubt or a note', () => {
  const groups = (answer: FixtureAnswer): Routes => ({ [`${SIGNAGE}/AppGroups`]: answer });
  const paged = (page: string | null) =>
    page === null || page === '1' ? named(20) : page === '2' ? named(14, 21) : [];

  const SEEN: readonly (readonly [string, Routes, number, object])[] = [
    ['a bare list of 100', groups(reply(named(100))), 100, SILENT],
    ['an envelope with 100', groups(beside(100, {})), 100, note('CAP_SUSPECTED')],
    ['a sentence', groups(beside(7, { message: 'AppGroups retrieved successfully' })), 7, SILENT],
    ['counts of a part', groups(beside(80, { online: 77, offline: 3 })), 80, note('BESIDE_UNKNOWN')],
    ['an old answer of a cache', groups(reply(named(7), { age: '4200' })), 7, SILENT],
    ['a word', groups(beside(7, { stimmung: 'heiter' })), 7, note('BESIDE_UNKNOWN')],
    ['a state', groups(beside(7, { zustand: 'in_progress' })), 7, note('BESIDE_UNKNOWN')],
    ['a yes that is about no page', groups(beside(7, { gesund: true })), 7, note('BESIDE_UNKNOWN')],
    ['a no', groups(beside(7, { complet: false })), 7, note('BESIDE_UNKNOWN')],
    ['a list', groups(beside(7, { knoten: ['a', 'b'] })), 7, note('BESIDE_UNKNOWN')],
    ['a fraction', groups(beside(7, { anteil: 0.75 })), 7, SILENT],
    ['a word beside a total', groups(beside(7, { total: 7, stimmung: 'heiter' })), 7, note('BESIDE_UNKNOWN')],
    ['a token', groups(beside(7, { weiter: 'eyJwIjoyfQ' })), 7, doubt('PAGING_UNPROVEN')],
    ['an address', groups(beside(7, { weiter: '/x?p=2' })), 7, doubt('PAGING_UNPROVEN')],
    ['a yes under a word of pages', groups(beside(7, { pageFull: true })), 7, doubt('PAGING_UNPROVEN')],
    ['a total of at least so many', groups(beside(40, { total: '40+' })), 40, doubt('PAGING_UNPROVEN')],
    ['a total that is not reached', groups(beside(7, { total: 9 })), 0, failure('PAGING_UNPROVEN')],
  ];
  for (const [what, routes, rows, due] of SEEN)
    runs.test(`${what} is as strong as it should be`, [{ routes }], (first) => {
      expect(saidOf(first?.source, 'app_groups')).toEqual(due);
      expect(first?.groups.rows).toBe(rows);
    });

  const route = (request: { readonly url?: string | undefined }) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    return reply({ items: paged(query.get('page')) });
  };
  const further = { routes: { [`${SIGNAGE}/AppGroups`]: route } };
  runs.test(
    'further records that a usual parameter gives are followed, with a note on the first day',
    [further, further],
    (first, second) => {
      expect(saidOf(first?.source, 'app_groups')).toEqual(note('PAGING_FOUND'));
      expect(saidOf(second?.source, 'app_groups')).toEqual(SILENT);
      expect([first?.groups.rows, second?.groups.rows]).toEqual([34, 34]);
    },
  );

  const strict = { routes: groups(beside(7, { stimmung: 'heiter' })), settings: { strict: true } };
  const answered = { ...strict, resources: { app_groups: { ignore: ['stimmung'] } } };
  runs.test(
    'a word where the source is strict is a doubt with its setting until it is answered',
    [strict, strict, answered],
    (...all) => {
      const said = all.map((run) => saidOf(run?.source, 'app_groups'));
      expect(said).toEqual([doubt('BESIDE_UNKNOWN'), doubt('BESIDE_UNKNOWN'), SILENT]);
      expect(all[0]?.source?.questions[0]?.cures[0]).toMatchObject({ choices: [['stimmung']] });
    },
  );
});

describe('the day after', () => {
  const day = (count: number, more: object) => ({
    routes: { [`${SIGNAGE}/AppGroups`]: reply({ items: named(count), ...more }) },
  });
  const TURNS: readonly (readonly [string, number, object, number, object, number, exit: number])[] = [
    ['a word that turns beside one record less', 57, { mode: 'full' }, 56, { mode: 'delta' }, 57, 3],
    ['a word that turns beside as many', 57, { mode: 'full' }, 57, { mode: 'delta' }, 57, 0],
    ['a word that turns beside more', 57, { mode: 'full' }, 58, { mode: 'delta' }, 58, 0],
    ['a flag that turns beside one record less', 57, { complet: true }, 56, { complet: false }, 57, 3],
    ['a flag that turns beside as many', 57, { complet: true }, 57, { complet: false }, 57, 0],
    ['a number beside one record less', 57, { online: 3 }, 56, { online: 4 }, 56, 0],
    ['a sentence that is new beside one record less', 57, {}, 56, { info: 'Node 3 is slow' }, 56, 0],
    ['a sentence that is new beside a tenth less', 57, {}, 51, { info: 'Node 3 is slow' }, 57, 3],
    ['nothing that differs beside a tenth less', 57, { mode: 'full' }, 51, { mode: 'full' }, 51, 0],
  ];
  for (const [what, count, was, now, is, rows, exit] of TURNS)
    runs.test(
      `${what} holds the listing only where records are missing`,
      [day(count, was), day(now, is)],
      (first, second) => {
        expect(first?.source?.status).toBe('complete');
        expect(saidOf(second?.source, 'app_groups')).toMatchObject({ exit });
        expect(second?.groups.rows).toBe(rows);
      },
    );
});

describe('children', () => {
  const PLAYERS = 45;
  const ids = Array.from({ length: PLAYERS }, (_, index) => index + 1);
  const few = ids.slice(0, 9);
  const fleet = (
    answerOf: (player: number) => Readonly<Record<string, FixtureAnswer>>,
    players: readonly number[] = ids,
  ): Routes => ({
    [`${SIGNAGE}/Players`]: reply(players.map((Id) => ({ Id, Name: `P${Id}` }))),
    ...Object.fromEntries(
      players.flatMap((id) =>
        Object.entries(answerOf(id)).map(([name, own]) => [`${SIGNAGE}/Players/${id}/${name}`, own]),
      ),
    ),
  });
  const screens = (id: number, count: number) => ({ Screens: reply(named(count, id * 100)) });
  const transfers = (id: number, count: number, headers?: Readonly<Record<string, string>>) => ({
    PendingFileTransfers: reply(named(count, id * 1000), headers),
  });

  const rollout = { routes: fleet((id) => ({ ...screens(id, (id % 3) + 1), ...transfers(id, 10) })) };
  const cached = (id: number) => ({ ...screens(id, (id % 3) + 1), ...transfers(id, 0, { age: '4200' }) });
  const queue = [rollout, { routes: fleet(cached) }, rollout];
  runs.test('in a queue that a rollout fills and a cached answer ends are never counted', queue, (...all) => {
    for (const run of someOf(all)) expect(run?.source).toMatchObject({ status: 'complete', questions: [] });
    const counts = all.map((run) => `${run?.transfers.rows} rows, ${run?.transfers.removed} removed`);
    expect(counts).toEqual(['450 rows, 0 removed', '0 rows, 450 removed', '450 rows, 0 removed']);
    expect(saidOf(all[0]?.source, 'pending_file_transfers')).toEqual(SILENT);
  });

  const most = (id: number) => (id <= 5 ? 1 : id <= 10 ? 2 : 10);
  const piled = [
    { routes: fleet((id) => screens(id, most(id))) },
    { routes: fleet((id) => screens(id, id === 45 ? 9 : most(id))) },
    { routes: fleet((id) => screens(id, most(id))), settings: { strict: true } },
  ];
  runs.test(
    'that pile up at one number are a note of the first day, and go as usual; a strict source doubts them',
    piled,
    (first, second, third) => {
      expect(saidOf(first?.source, 'screens')).toEqual(note('CAP_SUSPECTED'));
      expect(second?.screens.removed).toBe(1);
      expect(saidOf(second?.source, 'screens')).toEqual(SILENT);
      expect(saidOf(third?.source, 'screens')).toEqual(doubt('CAP_SUSPECTED'));
    },
  );

  const since = [12, 10].map((many) => ({ routes: fleet((id) => screens(id, id <= 5 ? 1 : many)) }));
  runs.test('that pile up at one number since today are a note', since, (_, second) => {
    expect(saidOf(second?.source, 'screens')).toEqual(note('CAP_SUSPECTED'));
  });

  const alike = note('CHILDREN_ALIKE');
  for (const [what, players, screens, due, later] of [
    ['that no parent has', ids, [], alike, alike],
    ['that are the same for each', ids, [{ Number: 1, IsOn: true }], alike, SILENT],
    ['that have one id for each of a few', few, [{ ScreenId: 1, IsOn: true }], alike, SILENT],
    ['that have one number for each of a few', few, [{ Number: 1, IsOn: true }], SILENT, SILENT],
  ] as const) {
    const routes = fleet(() => ({ Screens: reply(screens) }), players);
    runs.test(`${what} are rows, with a note where ids should differ`, [{ routes }, { routes }], (...all) => {
      expect(all.map((run) => saidOf(run?.source, 'screens'))).toEqual([due, later]);
      expect(all[0]?.screens.rows).toBe(players.length * screens.length);
    });
  }
});

const storages = (body: unknown) => ({ '/1/backup': reply(body) });
test.each<readonly [string, unknown, object]>([
  ['in the form it is known for', { result: 'success', data: named(10) }, SILENT],
  ['as a bare list', named(10), note('CAP_SUSPECTED')],
])('the backup source gives ten storages %s, without a question', async (_, body, due) => {
  await using lab = await fixtureLab(storages(body));
  const { sources, tables } = await lab.run(DAYS[0] ?? '');
  const [, vault] = sources;
  expect(saidOf(vault, 'backup_storages')).toEqual(due);
  expect(tables['backup_storages']?.rows).toBe(10);
});

test('a note stands in outcomes, and in nothing that raises an alarm', async () => {
  await using lab = await fixtureLab({
    [`${SIGNAGE}/Players`]: beside(3, { stimmung: 'heiter' }),
    [`${SIGNAGE}/Players/2/Screens`]: beside(1, { gesund: true }),
  });
  const { sources } = await lab.run(DAYS[0] ?? '');
  expect(sources[0]).toMatchObject({ status: 'complete', questions: [], drift: [] });
  expect(sources[0]).not.toHaveProperty('error');
  const says = 'Next to the records is "stimmung", and its meaning is not known';
  const note = { code: 'BESIDE_UNKNOWN', source: 'berlin', resource: 'players', says };
  expect(sources[0]?.notes).toEqual([note]);
  const columns = 'resource, parent_id, outcome, error_code, message, note';
  const noted = await lab.flat(`select ${columns} from outcomes where note is not null order by all`);
  expect(noted).toEqual(['players', null, 'ok', null, null, `${says}.`]);
});
