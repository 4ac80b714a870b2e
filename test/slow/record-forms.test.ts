import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { someOf } from '../support/some-of.ts';

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'] as const;
const NO_CHANGE = "select * from changes where change <> 'changed' or export_run_id <> '20261120T030000Z'";

const listing = (name: string, body: unknown): Routes => ({
  [`${SIGNAGE}/${name}`]: { body: JSON.stringify(body) },
});

it('entries of JSON:API have columns that the views know, and all else that stands in them', async () => {
  const entry = (id: number) => ({
    type: 'screens',
    id: `${id}`,
    attributes: { IsOn: id > 11, Name: `S${id}`, Exact: 12345678901234567890n.toString() },
    relationships: { player: { data: { id: '1' } } },
    links: { self: `/screens/${id}` },
  });
  await using lab = await signageLab({
    ...listing('Players', [{ Id: 1 }, { Id: 2 }]),
    ...listing('Players/1/Screens', { data: [entry(11), entry(12)] }),
    ...listing('Players/2/Screens', { data: [] }),
  });
  expect((await lab.run(DAYS[0])).sources[0]?.status).toBe('complete');
  expect(
    await lab.rows(
      'select record_key, id, type, is_on, name, relationships_player_data_id p, links_self l from screens order by 1',
    ),
  ).toEqual([
    { record_key: '1/11', id: '11', type: 'screens', is_on: false, name: 'S11', p: '1', l: '/screens/11' },
    { record_key: '1/12', id: '12', type: 'screens', is_on: true, name: 'S12', p: '1', l: '/screens/12' },
  ]);
});

it('a member that an entry of JSON:API and its attributes have is in a cell, or in rejects', async () => {
  const entry = (id: string, type: string) => ({ type: 'groups', id, attributes: { id, type } });
  await using lab = await signageLab(listing('AppGroups', { data: [entry('1', 'a'), entry('2', 'b')] }));
  await lab.run(DAYS[0]);
  expect(await lab.rows('select id, type from app_groups order by 1')).toEqual([
    { id: '1', type: 'a' },
    { id: '2', type: 'b' },
  ]);
  const rest = await lab.rows("select * from app_groups where app_groups::varchar like '%groups%'");
  const rejected = await lab.rows("select raw_value from rejects where table_name = 'app_groups'");
  expect(rest.length + rejected.length).toBeGreaterThan(0);
});

it('a list of texts or numbers is a table with the column value', async () => {
  await using lab = await signageLab({
    ...listing('AppGroups', ['north', 'south', null]),
    ...listing('Licenses', { data: [3, 5, 5] }),
  });
  expect((await lab.run(DAYS[0])).sources[0]?.status).toBe('complete');
  expect(await lab.rows('select record_key, value from app_groups order by 1')).toEqual([
    { record_key: 'north', value: 'north' },
    { record_key: 'south', value: 'south' },
  ]);
  expect(await lab.rows('select value::int as value from licenses order by 1')).toEqual(
    [3, 5, 5].map((value) => ({ value })),
  );
  await lab.run(DAYS[1], listing('AppGroups', ['south', 'west', 'east']));
  expect(await lab.rows('select record_key from app_groups order by 1')).toEqual(
    ['east', 'south', 'west'].map((record_key) => ({ record_key })),
  );
});

/** The same records as a list with a gap, and as an object by their numbers or ids. */
const three = [1, 2, 4].map((Id) => ({ Id, Name: `G${Id}`, State: 'on' }));
const WITH_ID: readonly unknown[] = [
  [null, three[0], three[1], null, three[2]],
  { 1: three[0], 2: three[1], 4: three[2] },
  three,
  { 0: three[0], 1: three[1], 3: three[2] },
];
const files = ['a.mp4', 'b.mp4', 'c.mp4'].map((File) => ({ File, Bytes: 5 }));
const WITHOUT_ID: readonly unknown[] = [
  { 0: files[0], 2: files[1], 3: files[2] },
  [files[0], null, files[1], files[2]],
];

for (const [first, ...others] of [WITH_ID, [...WITH_ID].reverse()]) {
  it(`records with an id are the same as a list and as an object, first ${JSON.stringify(first).slice(0, 20)}`, async () => {
    await using lab = await signageLab(listing('AppGroups', first));
    expect((await lab.run(DAYS[0])).sources[0]?.status).toBe('complete');
    const before = await lab.rows(
      'select * exclude (export_run_id, exported_at) from app_groups order by all',
    );
    expect(before.map((row) => row['record_key'])).toEqual(['1', '2', '4']);
    expect(Object.keys(before[0] ?? {})).not.toContain('key');
    for (const [index, other] of someOf(others.slice(0, 2)).entries()) {
      const { sources } = await lab.run(DAYS[index + 1] ?? '', listing('AppGroups', other));
      expect(sources[0]).toMatchObject({ status: 'complete', drift: [] });
      expect(
        await lab.rows('select * exclude (export_run_id, exported_at) from app_groups order by all'),
      ).toEqual(before);
    }
    expect(await lab.rows("select * from changes where export_run_id <> '20261120T030000Z'")).toEqual([]);
  });
}

it('records without an id have the number of their entry as key, in an object and in a list', async () => {
  const [map, list] = WITHOUT_ID;
  await using lab = await signageLab(listing('AppGroups', map));
  await lab.run(DAYS[0]);
  const before = await lab.rows('select record_key, key, file from app_groups order by 1');
  expect(before).toEqual([
    { record_key: '0', key: '0', file: 'a.mp4' },
    { record_key: '2', key: '2', file: 'b.mp4' },
    { record_key: '3', key: '3', file: 'c.mp4' },
  ]);
  const { sources } = await lab.run(DAYS[1], listing('AppGroups', list));
  expect(sources[0]).toMatchObject({ status: 'complete', drift: [] });
  expect(await lab.rows('select record_key, key, file from app_groups order by 1')).toEqual(before);
  expect(await lab.rows(NO_CHANGE)).toEqual([]);
});

it('a key that says more than the id stays in its column', async () => {
  const body = { '-Nabc': { Id: 7, Name: 'x' }, '-Nabd': { Id: 8, Name: 'y' } };
  await using lab = await signageLab(listing('AppGroups', body));
  await lab.run(DAYS[0]);
  expect(await lab.rows('select record_key, key from app_groups order by 1')).toEqual([
    { record_key: '7', key: '-Nabc' },
    { record_key: '8', key: '-Nabd' },
  ]);
});
