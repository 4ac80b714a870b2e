import type { Lake } from '#lib/lake/lake.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { openTables } from '#lib/views/open-tables.ts';

/** Columns that may differ between two equal runs: when and how often they asked. */
const BESIDES = ['exported_at', 'observed_at', 'attempts', 'message'];
/** The columns of `runs` that count: status and outcome counts. */
const OF_RUNS = ['export_source', 'export_run_id', 'status', 'ok', 'empty', 'gone', 'denied', 'failed'];

const EVERY_TABLE = TABLES.flatMap(({ name, onlyDays }) => (onlyDays ? [name] : [name, `${name}_daily`]));

/** Table → hash of its content: two lakes with the same content have the same hashes. */
export async function contentHash(
  lake: Lake,
  names: readonly string[] = EVERY_TABLE,
): Promise<Readonly<Record<string, string>>> {
  // Without views, which take most of the time.
  using tables = await openTables(lake, { sql: names.join(' ') });
  const hashes: Record<string, string> = {};
  for (const name of names) {
    const isCounted = name === 'runs' ? isIn(OF_RUNS) : `not ${isIn(BESIDES)}`;
    const { rows } = await tables.query(`
      select count(*) || ' ' || md5(coalesce(string_agg(line, chr(10) order by line), '')) as hash
      from (
        select to_json(cells)::varchar as line
        from (select columns(name -> ${isCounted}) from ${name}) as cells
      )`);
    hashes[name] = String(rows[0]?.[0]);
  }
  return hashes;
}

const isIn = (names: readonly string[]) => `list_contains(['${names.join("', '")}'], name)`;
