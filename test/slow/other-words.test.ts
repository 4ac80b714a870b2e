import { expect, it } from 'vitest';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { exportLab } from '../support/export-lab.ts';
import { FIELDS, otherVendor, WORDS } from '../support/other-vendor.ts';

const columnsOf = (fields: readonly string[]) =>
  Object.fromEntries(
    fields.map((field) => [
      FIELDS[field]?.[0].toLowerCase() ?? '',
      { as: FIELDS[field]?.[1], ...(WORDS[field] && { values: WORDS[field] }) },
    ]),
  );
const RESOURCES = {
  players: { columns: columnsOf(['Name', 'City', 'BoxState', 'LastAccess', 'IsLicensed', 'Created']) },
  screens: { columns: columnsOf(['IsOn', 'LastUpdate', 'LastStatusChange', 'Number', 'DisplayName']) },
  licenses: { columns: columnsOf(['TotalCount', 'AvailableCount']) },
  pending_file_transfers: { columns: columnsOf(['Created']) },
};

it('an API of another vendor answers every view as the reference does, once its names and words are told', async () => {
  const world = { players: 23, seed: 7 };
  await using reference = await exportLab(world);
  await using simulated = await exportLab(world);
  await using vendor = await otherVendor(simulated.simulator.url);
  // Days with and without the settings: what is told on the second day holds for the first.
  await using other = await exportLab(world, { signage: { baseUrl: vendor.url } });
  const told = { ...other.config };
  await reference.run('2026-11-20T03:00:00Z');
  await other.run('2026-11-20T03:00:00Z');
  await reference.run('2026-11-21T03:00:00Z');
  const config = {
    ...told,
    sources: told.sources.map((source) =>
      source.kind === 'signage'
        ? { ...source, resources: { ...source.resources, ...withDefaults(RESOURCES) } }
        : source,
    ),
  } as typeof told;
  expect(await other.run('2026-11-21T03:00:00Z', { config })).toMatchObject({ status: 'complete' });
  const views = (await readViews(QUERIES)).map(({ name }) => name);
  expect(views.length).toBeGreaterThan(8);
  for (const view of [...views, 'screens_daily', 'players_daily']) {
    const rowsOf = async (lab: typeof reference) =>
      (await lab.rows(`select * from ${view}`)).map(comparable).sort();
    const expected = await rowsOf(reference);
    if (view.endsWith('_daily')) expect(expected.length).toBeGreaterThan(23);
    expect([view, await rowsOf(other)]).toEqual([view, expected]);
  }
  expect(
    await other.rows(
      `select api_path, format from schema_columns where table_name = 'screens' and column_name = 'is_on'`,
    ),
  ).toEqual([{ api_path: 'Power', format: 'ON = true, STANDBY = false' }]);
});

function withDefaults(resources: typeof RESOURCES) {
  return Object.fromEntries(
    Object.entries(resources).map(([name, { columns }]) => [name, { columns, drop: [], mask: [] }]),
  );
}

/** A row as text, but for times of the run and what the two APIs call their fields. */
function comparable(row: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(row).filter(
    ([name]) => !/(_at|_seconds|requests|retries|attempts)$|hours|^days_/.test(name),
  );
  return JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}
