import { expect, it } from 'vitest';
import { ask } from '#cli/query.ts';
import { RESOURCES } from '#lib/sources/resources.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { exportLab } from '../support/export-lab.ts';
import { someOf } from '../support/some-of.ts';
import { type Day, signageViewLab, type ViewLab, viewLab } from './view-lab.ts';

it('views tell none from not known: whose listing was refused, since when, and why', async () => {
  await using lab = await viewLab();
  const LastUpdate = '2026-11-20T02:50:00Z';
  const players = [
    { Id: 1, LastAccess: LastUpdate },
    { Id: 2, LastAccess: LastUpdate },
  ];
  const screens = { 1: [{ Id: 1, IsOn: false, LastUpdate }], 2: [] };
  await lab.run('2026-11-20T03:00:00Z', { players, screens });
  const said = async () => {
    using tables = await openTables(lab.lake);
    return (await notKnown(tables)).get('screen_status')?.map((each) => told(each));
  };
  expect(await said()).toBeUndefined();
  await lab.run('2026-11-21T03:00:00Z', { players, screens: { 1: 'denied', 2: [] } });
  expect(await said()).toEqual(['Not known: 1 of 2 listings of screens of source berlin (FORBIDDEN).']);
  await lab.run('2026-11-22T03:00:00Z', { refused: true });
  expect(await said()).toContainEqual(
    expect.stringMatching(
      /^Not known: the listing players of source berlin \(\w+, last answered on 2026-11-21\)\.$/,
    ),
  );
});

it.each([
  ['backup', 'signage'],
  ['signage', 'backup'],
] as const)('views of %s APIs where there are %s APIs alone say so', async (kind, other) => {
  await using lab = await exportLab({ players: 2 });
  const config = { ...lab.config, sources: lab.config.sources.filter((source) => source.kind === other) };
  await lab.run('2026-11-20T03:00:00Z', { config });
  using tables = await openTables(lab.lake);
  expect(tables.leftOut).toEqual([]);
  const unknown = await notKnown(tables);
  const isOf = (lists: readonly string[], wanted: string) =>
    RESOURCES.some((each) => each.kind === wanted && lists.includes(each.name));
  const lists = [...RESOURCES.map(({ name }) => ({ name, lists: [name] })), ...tables.views];
  const silent = lists.filter((each) => isOf(each.lists, kind) && !isOf(each.lists, other));
  expect(silent.length).toBeGreaterThan(4);
  for (const { name } of silent) {
    expect([name, (await ask(tables, `select * from ${name}`)).rows]).toEqual([name, []]);
    expect([name, unknown.get(name)?.map((each) => told(each))]).toEqual([
      name,
      [`Not asked: no source of the newest runs is a ${kind} API.`],
    ]);
  }
  const others = lists.filter((each) => isOf(each.lists, other)).map(({ name }) => name);
  expect(others.filter((name) => JSON.stringify(unknown.get(name))?.includes('Not asked'))).toEqual([]);
});

it('views say that a listing was refused, not what the API gives, where the first run was refused', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-21T03:00:00Z', { refused: true });
  using tables = await openTables(lab.lake);
  expect(tables.leftOut).toEqual([]);
  const unknown = await notKnown(tables);
  for (const [name, source] of [
    ['screen_status', 'berlin'],
    ['backup_usage', 'vault'],
    ['backup_cost', 'vault'],
  ] as const) {
    expect([name, (await ask(tables, `select * from ${name}`)).rows]).toEqual([name, []]);
    expect(unknown.get(name)?.map((each) => told(each))).toEqual([
      expect.stringMatching(
        new RegExp(`^Not known: the listing \\w+ of source ${source} \\(\\w+, never answered so far\\)\\.$`),
      ),
    ]);
  }
});

const LastAccess = '2026-11-20T02:50:00Z';
const screens = { 1: [{ Id: 1, IsOn: true, LastUpdate: LastAccess }], 2: [] };
const transfers = { 1: [{ Id: 1, FileName: 'a.mp4', FileSize: 9, Transferred: 1 }], 2: [] };
const all: Day = {
  players: [
    { Id: 1, LastAccess },
    { Id: 2, LastAccess },
  ],
  screens,
  pending_file_transfers: transfers,
  licenses: [{ Type: 'A', TotalCount: 2, AvailableCount: 1 }],
};
const none = { 1: 'denied', 2: 'denied' } as const;

async function said(lab: ViewLab, name: string): Promise<string> {
  using tables = await openTables(lab.lake);
  return ((await notKnown(tables)).get(name) ?? []).map((each) => told(each)).join(' ');
}

const empty: Day = { ...all, licenses: [], pending_file_transfers: {} };

it.each<readonly [what: string, before: Day, refused: Day, names: readonly string[]]>([
  ['transfers', all, { pending_file_transfers: none }, ['pending_file_transfers']],
  ['licences', all, { licenses: 'denied' }, ['licenses']],
  ['players', all, { refused: true }, ['players']],
  [
    'listings without records',
    empty,
    { licenses: 'denied', pending_file_transfers: none },
    ['licenses', 'pending_file_transfers'],
  ],
])('%s that a later run was refused have their last answer', async (_, before, refused, names) => {
  await using lab = await signageViewLab();
  await lab.run('2026-11-20T03:00:00Z', before);
  await lab.run('2026-11-21T03:00:00Z', before);
  // The next day is refused too: the last answer stays where it was.
  for (const time of ['2026-11-21T15:00:00Z', '2026-11-22T03:00:00Z']) {
    await lab.run(time, { ...before, ...refused });
    for (const name of someOf(names)) expect(await said(lab, name)).toContain('last answered on 2026-11-21');
  }
});

it('a source that later runs of the day left out was last answered on that day', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', all);
  await lab.run('2026-11-21T03:00:00Z', all);
  await lab.run('2026-11-21T09:00:00Z', { ...all, pending_file_transfers: none });
  await lab.run('2026-11-21T15:00:00Z', all, ['vault']);
  expect(await said(lab, 'pending_file_transfers')).toContain('last answered on 2026-11-21');
});

it('what was refused all day was last answered the day before', async () => {
  await using lab = await signageViewLab();
  await lab.run('2026-11-20T03:00:00Z', all);
  const refused: Day = { ...all, licenses: 'denied', pending_file_transfers: none };
  await lab.run('2026-11-21T03:00:00Z', refused);
  await lab.run('2026-11-21T15:00:00Z', refused);
  expect(await said(lab, 'licenses')).toContain('last answered on 2026-11-20');
  expect(await said(lab, 'pending_file_transfers')).toContain('last answered on 2026-11-20');
});

it('says unknown of a screen that the newest run could not ask, with what it was', async () => {
  await using lab = await signageViewLab();
  const LastStatusChange = '2026-11-19T03:00:00Z';
  for (const day of [20, 21]) {
    const on = [{ Id: 1, IsOn: true, LastUpdate: `2026-11-${day}T02:50:00Z`, LastStatusChange }];
    await lab.run(`2026-11-${day}T03:00:00Z`, {
      players: [{ Id: 1 }, { Id: 2 }],
      screens: { 1: day === 21 ? 'denied' : on, 2: on },
    });
  }
  expect(
    await lab.cells(
      'select screen, state, last_known_state, since, is_carried from screen_status order by screen',
    ),
  ).toEqual([
    ['1/1', 'unknown', 'on', null, true],
    ['2/1', 'on', 'on', LastStatusChange, false],
  ]);
});
