import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyType } from '#lib/repair/apply-type.ts';
import { columnName } from '#lib/schema/columns/column-name.ts';
import { quoteIdentifier } from '#lib/sql.ts';
import { LAB_MASK_KEY, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorOf } from '../support/runs.ts';
import { sourceFiles } from '../support/syntax.ts';

/** Names that an API once gave, each of which was one of our own. */
const SEEN = 'Run Text_0 Entry filename __proto__ constructor each x token source value rows outcomes'.split(
  ' ',
);

/** Every word of the SQL that is in templates of lib, as an API could call a field. */
function ownWords(): readonly string[] {
  const texts = sourceFiles(/^lib\//).map((file) => readFileSync(file, 'utf8'));
  const sql = /`[^`]*\b(?:select|from|as|lambda|where)\b[^`]*`/gi;
  const templates = texts.flatMap((text) => text.match(sql) ?? []);
  return [...new Set(templates.flatMap((sql) => sql.match(/\b[a-z][a-z0-9_]*\b/gi) ?? []))].sort();
}

const FIELDS = 40;
const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'] as const;

/** A field's value on a day: a bigint, then fractions too, and each field has its own. */
const valueAt = (index: number, day: number) => (day === 0 ? 1000 + index : 1000 + index + day / 4);

it('fields that are called as our own SQL calls something keep their values, changes and rejects', async () => {
  const words = ownWords();
  expect(words.length).toBeGreaterThan(300);
  const seed = Number(process.env['NAMES_SEED'] ?? 1_802);
  const draws = Number(process.env['NAMES_DRAWS'] ?? 1);
  const some = fc.subarray([...words], { minLength: FIELDS, maxLength: FIELDS });
  const drawn = fc.sample(some, { seed, numRuns: draws });
  for (const names of drawn) await keepsAll([...SEEN, ...names]);
});

async function keepsAll(names: readonly string[]): Promise<void> {
  const byColumn = new Map(
    names
      // `exportedAt` too becomes a name of each table's own columns.
      .filter((name) => !/^(id|player_id)$|^(export|exported|record|observed)_/.test(columnName([name])))
      .map((name) => [columnName([name]), name]),
  );
  const fields = [...byColumn.values()];
  const record = (id: number, day: number) =>
    `{"Id":${id},${fields.map((name, index) => `${JSON.stringify(name)}:${valueAt(index, day)}`).join(',')}}`;
  const served = (day: number) => ({
    [`${SIGNAGE}/Players`]: { body: `[${record(1, day)},${record(2, day)}]` },
    [`${SIGNAGE}/Players/1/Screens`]: { body: `[${record(7, day)}]` },
    // What player 2 has is carried over from the first day.
    [`${SIGNAGE}/Players/2/Screens`]:
      day === 0 ? { body: `[${record(7, day)}]` } : { status: 403, body: '{}' },
  });
  // Without raw, all is made from cells.
  const config = { rawRetentionDays: 0, maskSecret: 'lab/mask' };
  await using lab = await signageLab(served(0), { config });
  await lab.run(DAYS[0]);
  await lab.run(DAYS[1], served(1));
  const columns = [...byColumn.keys()];
  const select = columns.map((name) => `${quoteIdentifier(name)}::double`).join(', ');
  const due = (day: number) => columns.map((_, index) => valueAt(index, day));
  const shown = (table: string) =>
    lab.flat(`select ${select} from ${table} order by export_date, record_key`);
  expect(await shown('players_daily')).toEqual([0, 0, 1, 1].flatMap(due));
  expect(await shown('screens_daily')).toEqual([0, 0, 1, 0].flatMap(due));
  const changes =
    "select concat_ws(' ', column_name, old_value, new_value) as told from changes where table_name = 'players' and record_key = '1' order by 1";
  const changed = columns.map((name, index) => `${name} ${valueAt(index, 0)} ${valueAt(index, 1)}`);
  expect(await lab.flat(changes)).toEqual(changed.sort());
  // A column of each name becomes a date, which holds none of its values: they are in rejects of both days.
  const services = operatorOf(lab, { maskKey: async () => LAB_MASK_KEY });
  for (const column of columns.slice(0, 4)) {
    await applyType({ table: 'players', column, type: 'boolean', acceptLoss: true }, services);
    const rejected = await lab.rows(
      `select distinct raw_value from rejects where table_name = 'players' and column_name = '${column}' order by 1`,
    );
    expect(rejected, column).toHaveLength(2);
  }
  // The rest is masked, from cells.
  const mask = fields.slice(4);
  const masking = { config, signage: { resources: { players: { mask }, screens: { mask } } } };
  await lab.run(DAYS[2], served(2), masking);
  for (const table of ['players_daily', 'screens_daily']) {
    const clear = columns.slice(4).map((name) => `${quoteIdentifier(name)} not like '________:%'`);
    expect(await lab.rows(`select record_key from ${table} where ${clear.join(' or ')}`)).toEqual([]);
  }
}
