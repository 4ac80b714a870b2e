import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportLab, exportLab } from '../support/export-lab.ts';

const page = await readFile('docs/questions.md', 'utf8');
const questions = [...page.matchAll(/^### (.+)\n(?:(?!^#)[^`]|`[^`\n]+`)*?```sql\n([^`]+)```/gm)].map(
  ([, question = '', sql = '']) => [question, sql] as const,
);
/** What the lab may have none of: its licences last, and by the machine's clock all its players are offline each day. */
const MAY_BE_NONE = new Set([
  'Which licences run out, and when?',
  'Which players went offline since yesterday, and which came back?',
]);
/** The player of whom the page asks. */
const PLAYER = '100004';

let folder: string;
let lab: ExportLab;
let changed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-questions-'));
  const hours = join(folder, 'hours.csv');
  await writeFile(hours, 'group,weekday,from,to,zone\n*,Mon-Sun,00:00,24:00,UTC\n');
  lab = await exportLab({ players: 90, storages: 21, seed: 5 }, { config: { groups: ['City'], hours } });
  for (const [day, date] of ['2026-10-20', '2026-11-20', '2026-11-21'].entries()) {
    lab.simulator.day = day;
    await lab.run(`${date}T03:00:00Z`);
  }
  const { rows } = await lab.query(
    "select max(record_key) from changes where table_name = 'players' and column_name <> 'last_access'",
  );
  changed = String(rows[0]?.[0]);
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('docs/questions.md', () => {
  it('has SQL for each question', () => {
    expect(questions.length).toBeGreaterThanOrEqual(20);
    expect(questions.map(([question]) => question)).toEqual(
      [...page.matchAll(/^### (.+)$/gm)].map(([, question]) => question),
    );
  });

  it.each(questions)('answers: %s', async (question, sql) => {
    const { rows } = await lab.query(sql.replace(PLAYER, changed));
    if (!MAY_BE_NONE.has(question)) expect(rows.length).toBeGreaterThan(0);
    // A share of nothing is not known; in no engine is it NaN, which charts draw and sums spread.
    expect(rows.flat().filter((value) => Number.isNaN(value))).toEqual([]);
  });
});
