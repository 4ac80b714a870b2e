import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulator } from '#simulator/server.ts';
import { type ClockedLake, clockedLake } from '../queries/clocked-lake.ts';
import { labConfig, labSecrets } from '../support/export-lab.ts';

type Row = Readonly<Record<string, unknown>>;

const pages = ['docs/read/questions.md', 'docs/read/questions-over-time.md'];
const page = (await Promise.all(pages.map((file) => readFile(file, 'utf8')))).join('\n');
const questions = [...page.matchAll(/^### (.+)\n(?:(?!^#)[^`]|`[^`\n]+`)*?```sql\n([^`]+)```/gm)].map(
  ([, question = '', sql = '']) => [question, sql] as const,
);
/** The player of whom the page asks. */
const PLAYER = '100004';

/** A second source of each kind at the same APIs, so that all its ids are those of the first. */
const TWINS: Readonly<Record<string, string>> = { berlin: 'munich', vault: 'tresor' };

let folder: string;
let lake: ClockedLake;
let changed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-questions-'));
  const hours = join(folder, 'hours.csv');
  await writeFile(hours, 'group,weekday,from,to,zone\n*,Mon-Sun,00:00,24:00,UTC\n');
  const simulator = await startSimulator({ players: 100, storages: 12, seed: 12, startDate: dateOf(0) });
  const one = labConfig(simulator.url, { config: { groups: ['City'], hours, targets: { '*': 0.9 } } });
  const twins = one.sources.map((source) => ({ ...source, name: TWINS[source.name] ?? source.name }));
  lake = await clockedLake({ ...one, sources: [...one.sources, ...twins] }, labSecrets(simulator));
  for (const day of [0, 25, 26, 27, 28, 29, 30, 31, 32]) {
    simulator.day = day;
    await lake.run(`${dateOf(day)}T03:00:00Z`);
  }
  await simulator.close();
  const rows = await lake.rows(
    "select max(record_key) as changed from changes where table_name = 'players' and column_name <> 'last_access'",
  );
  changed = String(rows[0]?.['changed']);
}, 120_000);
afterAll(async () => {
  await lake?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function dateOf(day: number): string {
  return new Date(Date.parse('2026-10-20T00:00:00Z') + day * 86_400_000).toISOString().slice(0, 10);
}

/** The rows of a source, as those of its twin would be. */
function rowsOf(rows: readonly Row[], name: string): readonly string[] {
  return (
    rows
      .filter((row) => row['export_source'] === name)
      // The last digits of a sum are those of its order.
      .map((row) =>
        JSON.stringify(row, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)),
      )
      .map((text) => Object.entries(TWINS).reduce((sum, [first, twin]) => sum.replaceAll(twin, first), text))
      .toSorted()
  );
}

describe('the pages of questions', () => {
  it('has SQL for each question', () => {
    expect(questions.length).toBeGreaterThanOrEqual(20);
    expect(questions.map(([question]) => question)).toEqual(
      [...page.matchAll(/^### (.+)$/gm)].map(([, question]) => question),
    );
  });

  it.each(questions)('answers: %s', async (_, sql) => {
    const rows = await lake.rows(sql.replace(PLAYER, changed));
    expect(rows.length).toBeGreaterThan(0);
    // A share of nothing is not known; in no engine is it NaN, which charts draw and sums spread.
    const cells = rows.flatMap((row) => Object.values(row));
    expect(cells.filter((value) => Number.isNaN(value))).toEqual([]);
    // What is true of a source is true of its twin, whatever ids they share.
    for (const [first, twin] of Object.entries(TWINS)) {
      const own = rowsOf(rows, first);
      expect(rowsOf(rows, twin)).toEqual(own);
      expect(new Set(own).size).toBe(own.length);
    }
  });
});
