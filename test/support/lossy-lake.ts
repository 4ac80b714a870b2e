import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Chance } from './chance.ts';
import { filesBelow, filesOf, rowsOf } from './files-of-head.ts';
import { type FixtureLab, fixtureLab, type Routes, SIGNAGE } from './fixture-lab.ts';
import { fleetRoutes } from './fleet-routes.ts';

/** The first two are of a month that is closed. */
export const DATES = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'] as const;
export const NEXT = '2026-11-03';
export const AFTER = '2026-11-04';
export const ALL_DATES: readonly string[] = [...DATES, NEXT, AFTER];
const SOURCES = ['north', 'south'] as const;

export const timeOf = (date: string) => `${date}T03:00:00Z`;

/** The players of a source on a date: each day one comes, and on the third the first goes. */
function truth(source: string, date: string): readonly string[] {
  const day = ALL_DATES.indexOf(date);
  const from = source === 'north' ? 1 : 101;
  const ids = Array.from({ length: 4 + day }, (_, at) => from + at);
  return ids.filter((id) => day < 2 || id !== from).map(String);
}

/** Each player has one screen, whose id is that of the player. */
export const routes = (date: string): Routes => {
  const named = (id: number) => ({ Id: id, Name: `${id} on ${date}` });
  const fleets = SOURCES.map((source) => {
    const players = truth(source, date).map((id) => named(Number(id)));
    return fleetRoutes(players, (id) => [named(id)], `/${source}${SIGNAGE}`);
  });
  return Object.assign({}, ...fleets);
};

/** A lake of four days, and it as it was after each of them. */
export async function history(): Promise<FixtureLab> {
  const lab = await fixtureLab(routes(DATES[0]), { backup: null, fleets: { north: {}, south: {} } });
  for (const date of DATES) {
    await lab.run(timeOf(date), routes(date));
    await cp(lab.lake.name, join(lab.folder, date), { recursive: true });
  }
  return lab;
}

/** What is lost or put back together: a backup takes folders. */
const PLACES = ['state', 'raw', 'tables', 'state-copy'];
const WAYS = ['stays', 'is lost', 'is older', 'lacks files', 'has older files'] as const;

/** Puts the lake back as it was after the last day, and takes from it what the seed says. Gives it in words. */
export async function lose(lab: FixtureLab, chance: Chance): Promise<string> {
  const root = lab.lake.name;
  await rm(root, { recursive: true, force: true });
  await cp(join(lab.folder, DATES[3]), root, { recursive: true });
  const said: string[] = [];
  for (const name of PLACES) {
    const way = chance.number() < 0.35 ? 'stays' : chance.oneOf(WAYS);
    const then = chance.oneOf(DATES.slice(0, 3));
    const share = chance.oneOf([0.02, 0.1, 0.5]);
    said.push(`${name} ${way}${way.includes('older') ? ` (${then})` : ''}`);
    const [here, old] = [join(root, name), join(lab.folder, then, name)];
    if (way === 'is lost' || way === 'is older') await rm(here, { recursive: true, force: true });
    if (way === 'is older') await cp(old, here, { recursive: true });
    if (way === 'stays' || way.startsWith('is ')) continue;
    const files = [here, ...filesBelow(here)].filter((file) => file.includes('.'));
    for (const file of files.sort()) {
      if (!existsSync(file) || chance.number() >= share) continue;
      await rm(file, { recursive: true });
      const before = join(lab.folder, then, file.slice(root.length));
      if (way === 'has older files' && existsSync(before)) await cp(before, file, { recursive: true });
    }
  }
  return said.join(', ');
}

/** The key of a screen begins with that of its player. */
const idOf = (row: Readonly<Record<string, unknown>>) => String(row['record_key']).split('/')[0];

/** Shown data are what their day said. What a run calls removed was gone since the day shown before it. */
export async function expectTruth(lab: FixtureLab, run: string, isPurged = false): Promise<void> {
  const sources = isPurged ? ['north'] : SOURCES;
  for (const table of ['players', 'screens']) await expectTruthOf(table, lab, run, sources);
}

async function expectTruthOf(table: string, lab: FixtureLab, run: string, sources: readonly string[]) {
  const players = filesOf(lab.lake.name, table);
  const shown = [...players.keys()].sort();
  for (const [date, paths] of players) {
    // A lost file shows nothing, and `status` says so.
    if (!paths.every(existsSync)) continue;
    const rows = (await rowsOf(paths)).map((row) => `${row['export_source']} ${idOf(row)} ${row['name']}`);
    const dueOf = (source: string) => truth(source, date).map((id) => `${source} ${id} ${id} on ${date}`);
    const due = sources.flatMap(dueOf);
    expect(rows.sort(), `${table} of ${date}`).toEqual(due.sort());
  }
  const before = shown.filter((date) => date < run).at(-1);
  const changes = (await rowsOf(filesOf(lab.lake.name, 'changes').get(run) ?? []))
    .filter((row) => row['table_name'] === table && row['change'] === 'removed')
    .map((row) => `${row['export_source']} ${idOf(row)}`);
  const listed = (source: string) => (before === undefined ? [] : truth(source, before));
  const goneOf = (source: string) => listed(source).filter((id) => !truth(source, run).includes(id));
  const gone = sources.flatMap((source) => goneOf(source).map((id) => `${source} ${id}`));
  expect(changes.sort(), `${table} removed on ${run}`).toEqual(gone.sort());
}
