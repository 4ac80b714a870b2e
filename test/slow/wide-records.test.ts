import { expect, test } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { screenRoutes } from '../support/fleet-routes.ts';

const wide = (count: number, name = 'member') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, index]));
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const record = (more: object) => JSON.stringify([{ Id: 1, State: 'off', ...more }]);

/** What a player's screens are out of bounds by, and what its listing fails with. */
const OUT_OF_BOUNDS: readonly (readonly [body: string, code: string])[] = [
  [record(wide(10_000)), 'RECORD_TOO_WIDE'],
  [record({ keys: wide(10_000) }), 'RECORD_TOO_WIDE'],
  [`[{"Id":1,"State":"off","deep":${deep(100)}}]`, 'BODY_TOO_DEEP'],
  [`[{"Id":1,"State":"off","deep":${deep(1_000_000)}}]`, 'BODY_TOO_DEEP'],
  [`{"data":[{"Id":1,"State":"off"}],"deep":${deep(1_000_000)}}`, 'BODY_TOO_DEEP'],
];
const IDS = [1, 2, 3, 4, 5, 6, 7, 8];

const players = (more: object = {}) => ({ body: JSON.stringify(IDS.map((Id) => ({ Id, ...more }))) });
const screens = (body: (id: number) => string) => screenRoutes(IDS, (id) => ({ body: body(id) }));
const healthy = {
  [`${SIGNAGE}/Players`]: players(),
  ...screens((id) => JSON.stringify([{ Id: id * 10, State: 'on' }])),
};
const SCREENS = "select error_code from outcomes where resource = 'screens' order by parent_id::integer";

test('a record that is out of bounds fails its own answer, and its committed rows stay', async () => {
  await using lab = await signageLab(healthy);
  await lab.run('2026-11-20T03:00:00Z');
  const hostile = screens((id) => OUT_OF_BOUNDS[id - 1]?.[0] ?? `[{"Id":${id * 10},"State":"on"}]`);
  const summary = await lab.run('2026-11-21T03:00:00Z', { ...healthy, ...hostile });
  expect(await lab.flat(SCREENS)).toEqual(IDS.map((player) => OUT_OF_BOUNDS[player - 1]?.[1] ?? null));
  const states = await lab.flat('select id, state from screens order by id');
  expect(states).toEqual(IDS.flatMap((id) => [id * 10, 'on']));
  expect(summary.tables['screens']).toMatchObject({ rows: 8, removed: 0, changed: 0 });
});

test('each bound is a setting of the source: with room for them, such records are rows', async () => {
  const more = { ...wide(400), deep: JSON.parse(deep(20)) };
  const routes = { ...healthy, [`${SIGNAGE}/Players/1/Screens`]: { body: record(more) } };
  const codeWith = async (signage: object) => {
    await using lab = await signageLab(routes, { signage });
    await lab.run('2026-11-20T03:00:00Z');
    return (await lab.flat(SCREENS))[0];
  };
  expect(await codeWith({ maxFields: 300, maxColumns: 500 })).toBe('RECORD_TOO_WIDE');
  expect(await codeWith({ maxDepth: 8, maxColumns: 500 })).toBe('BODY_TOO_DEEP');
  expect(await codeWith({ maxColumns: 350 })).toBe('TABLE_TOO_WIDE');
  expect(await codeWith({ maxFields: 500, maxDepth: 80, maxColumns: 500 })).toBeNull();
});

test.each<readonly [string, (day: number) => object, number, boolean]>([
  ['an object that is taken apart', (day) => ({ Info: wide(9, `day${day}x`) }), 20, true],
  ['objects of the day, which stay text', (day) => ({ [`day${day}`]: wide(9, `day${day}x`) }), 13, false],
])('maxColumns holds for members of %s', async (_, more, columns, isFailed) => {
  await using lab = await signageLab(healthy, { signage: { maxColumns: 20 } });
  for (let day = 1; day <= 3; day++) {
    const changed = { [`${SIGNAGE}/Players/1/Screens`]: { body: record(more(day)) } };
    await lab.run(`2026-11-0${day}T03:00:00Z`, { ...healthy, ...changed });
  }
  const members = 'select count(distinct api_path)::int as n from schema_columns';
  expect(await lab.flat(`${members} where table_name = 'screens' and api_path <> ''`)).toEqual([columns]);
  expect(await lab.flat(SCREENS)).toEqual(IDS.map(() => (isFailed ? 'TABLE_TOO_WIDE' : null)));
});
