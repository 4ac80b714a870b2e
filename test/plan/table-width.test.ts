import { expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

const wide = (name: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, index]));

it('members that are now a text and now an object have two columns, of those that maxColumns allows', async () => {
  const players = [
    { Id: 1, City: 'Berlin', Site: 'North', Zone: wide('z', 6) },
    { Id: 2, City: { Name: 'Paris' }, Site: { Name: 'South' }, Zone: wide('z', 6) },
  ];
  const columnsWith = async (maxColumns: number) => {
    await using lab = await signageLab(
      { [`${SIGNAGE}/Players`]: { body: JSON.stringify(players) } },
      { signage: { maxColumns } },
    );
    await lab.run('2026-11-20T03:00:00Z');
    const columns = await lab.rows(
      "select api_path from schema_columns where table_name = 'players' and api_path <> '' order by all",
    );
    return columns.map(({ api_path }) => api_path);
  };
  const both = ['City', 'City.Name', 'Id', 'Site', 'Site.Name'];
  expect(await columnsWith(10)).toEqual([...both, 'Zone']);
  expect(await columnsWith(12)).toEqual([...both, ...Object.keys(wide('Zone.z', 6))]);
});

it('a listing in doubt of a strict source that is too wide is failed for that alone', async () => {
  const screens = Array.from({ length: 100 }, (_, Id) => ({ Id, ...wide('s', 20) }));
  const players = [1, 2, 3, 4, 5].map((Id) => ({ Id }));
  await using lab = await signageLab(
    fleetRoutes(players, (id) => screens.map((each) => ({ ...each, Id: id * 100 + each.Id }))),
    { signage: { maxColumns: 10, strict: true } },
  );
  const [signage] = (await lab.run('2026-11-20T03:00:00Z')).sources;
  expect(signage?.error?.code).toBe('TABLE_TOO_WIDE');
  expect(signage?.questions).toEqual([]);
});
