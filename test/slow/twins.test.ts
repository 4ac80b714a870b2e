import { expect, it } from 'vitest';
import { systemScratch } from '#lib/lake/folder/system-scratch.ts';
import { readHead } from '#lib/lake/head.ts';
import { openDuckDb } from '#lib/runtime/duckdb.ts';
import { readSchema } from '#lib/schema/schema.ts';
import { createViews, viewStatements } from '#lib/views/create-views.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { tableViews } from '#lib/views/table-views.ts';
import { createWorld, type Snapshot } from '#simulator/world/world.ts';
import { type Day, type ViewLab, viewLab } from '../queries/view-lab.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-20T03:00:00Z');
const world = createWorld({ players: 11, seed: 12, startDate: '2026-11-20' });

/** What the APIs say on a day of the world; of the players that `isDenied` names nobody says the children. */
function dayOf(day: number, snapshot: Snapshot, isDenied: (id: number) => boolean): Day {
  const children = (resource: 'screens' | 'pending_file_transfers') =>
    Object.fromEntries(
      [...snapshot.playerIds()].map((id) => [
        id,
        // Without their own date transfers are as old as the first run that saw them.
        isDenied(id) ? 'denied' : snapshot.records(resource, id).map(({ Created: _, ...record }) => record),
      ]),
    );
  return {
    players: snapshot.records('players'),
    licenses: snapshot.records('licenses'),
    app_groups: snapshot
      .records('app_groups')
      .map((group) => ({ ...group, ...(day > 4 && { Slogan: 'new' }) })),
    screens: children('screens'),
    pending_file_transfers: children('pending_file_transfers'),
    // The days of the world are ahead of the runs, which would find no price that is valid.
    backup_pricing: snapshot.records('backup_pricing').map(({ valid_from: _, ...prices }) => prices)[0] ?? {},
    backup_storages: snapshot.records('backup_storages'),
    backup_slots: Object.fromEntries(
      [...snapshot.storageIds()].map((id) => [id, snapshot.records('backup_slots', id)]),
    ),
  };
}

/** The third player has one transfer alone. */
function withTransfer(day: Day, Id: number): Day {
  const all: object = Object(day.pending_file_transfers);
  const [player = ''] = Object.keys(all).slice(2);
  return { ...day, pending_file_transfers: { ...all, [player]: [{ Id }] } };
}

/** What differs from what the others say of the same ids: names, whom nobody expects, licences that run out, storages that grow. */
function twinsOf(day: number): Day {
  const snapshot = world.at(day + 1);
  const [first, , ...licenses] = snapshot.records('licenses');
  const slots = [...snapshot.storageIds()].map(
    (id) =>
      [
        id,
        snapshot
          .records('backup_slots', id)
          .map((slot) => ({ ...slot, storage_used: Number(slot['storage_used']) * (day > 4 ? 2 : 1) })),
      ] as const,
  );
  return {
    ...dayOf(day, snapshot, (id) => id % 7 === day % 7),
    players: snapshot.records('players').map((player) => ({
      ...player,
      Name: `${player['Name']} of the twin`,
      ...(Number(player['Id']) % 2 === 0 && { IsLicensed: false }),
    })),
    licenses: [...licenses, { ...first, TotalCount: 9, AvailableCount: day > 4 ? 0 : 5 }],
    app_groups: snapshot
      .records('app_groups')
      .map((group) => ({ ...group, ...(day > 4 && { Motto: 'new' }) })),
    backup_storages: snapshot
      .records('backup_storages')
      .map((storage) => ({ ...storage, Score: day > 1 ? 'many' : 9 })),
    backup_slots: Object.fromEntries(slots),
  };
}

/** Three cities of the world are open by day. */
const HOURS = ['Berlin', 'Dresden', 'Zürich'].map((group) => ({
  group,
  weekdays: '1234567',
  opens: 8 * 60,
  closes: 20 * 60,
  zone: 'Europe/Berlin',
}));

/** Views whose rows are days and places, not those of a source. */
const OF_ALL_SOURCES = new Set(['dates', 'opening_hours']);

/** The last digits of a sum are those of its order. */
const rounded = (_: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(9)) : value;

/** Columns that go by the clock of whoever asks. */
const UNSTEADY = new Set(['hours_since_run']);

interface Views extends AsyncDisposable {
  readonly names: readonly string[];
  /** The rows of a view as texts, by source. */
  rowsOf(name: string): Promise<Readonly<Record<string, readonly string[]>>>;
}

/** The views of a lake: of all its rows, or of those that one source has in each table. */
async function viewsOf(lab: ViewLab, source?: string): Promise<Views> {
  const stored = await readHead(lab.lake);
  if (stored === undefined) throw new Error('nothing is committed');
  const { head } = stored;
  const schema = { ...(await readSchema(lab.lake, head.schema)), hours: HOURS };
  const scratch = await systemScratch();
  const folders = [...lab.lake.folders, scratch.path];
  const db = await openDuckDb({ folders, spillTo: scratch.path, memoryLimitMiB: 512, threads: 1 });
  const views = tableViews(lab.lake, { head, schema }).map((view) => ({
    ...view,
    sql: async () => {
      const sql = await view.sql();
      return source === undefined ? sql : `select * from (${sql}) where export_source = '${source}'`;
    },
  }));
  const made = await createViews(db, await viewStatements({ tables: views, queries: QUERIES, schema }));
  return {
    names: made.views.map(({ name }) => name),
    rowsOf: async (name) => {
      const { columns, rows } = await db.ask(`select * from "${name}"`);
      const at = columns.indexOf('export_source');
      const told = Map.groupBy(rows, (row) => String(row[at]));
      return Object.fromEntries(
        [...told].map(([of, own]) => [
          of,
          own
            .map((row) =>
              JSON.stringify(
                row.filter((_, index) => !UNSTEADY.has(columns[index] ?? '')),
                rounded,
              ),
            )
            .toSorted(),
        ]),
      );
    },
    [Symbol.asyncDispose]: async () => {
      db[Symbol.dispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

it('a view says of a source what it would say if no other source with the same ids were there', {
  timeout: 120_000,
}, async () => {
  await using lab = await viewLab({ config: { groups: ['City'], minCoverage: 0 } }, { twins: true });
  const at = (hours: number) => new Date(START + hours * HOUR_MS).toISOString();
  const days = (day: number): Day => ({
    ...withTransfer(
      dayOf(day, world.at(day), (id) => id % 5 === day % 5),
      day === 0 ? 9001 : 9002,
    ),
    twins: withTransfer(twinsOf(day), day === 0 ? 9002 : 9001),
  });
  await lab.run(at(0), days(0));
  await lab.run(at(24), days(1));
  // A source that is refused, one with a run more on its day, and one with a day more.
  await lab.run(at(48), { ...days(2), twins: { refused: true } });
  await lab.run(at(54), { ...days(3), refused: true });
  await lab.run(at(60), days(4), ['munich', 'vault']);
  await lab.run(at(78), days(4), ['vault', 'tresor']);
  // On the last day each has its own first run and its own last run. One source is refused in its last run.
  await lab.run(at(96), days(5), ['berlin', 'vault', 'tresor']);
  await lab.run(at(100), days(5), ['munich']);
  await lab.run(at(104), { ...days(5), refused: true }, ['berlin']);
  await using together = await viewsOf(lab);
  const truth = new Map<string, object>();
  for (const source of ['berlin', 'munich', 'vault', 'tresor']) {
    await using alone = await viewsOf(lab, source);
    for (const name of together.names) truth.set(name, { ...truth.get(name), ...(await alone.rowsOf(name)) });
  }
  expect(together.names.length).toBeGreaterThan(12);
  for (const name of together.names.filter((each) => !OF_ALL_SOURCES.has(each))) {
    const rows = await together.rowsOf(name);
    // The players of one source alone go offline.
    expect(Object.keys(rows).length, name).toBeGreaterThan(name === 'player_outages' ? 0 : 1);
    expect([name, rows]).toEqual([name, truth.get(name)]);
  }
});
