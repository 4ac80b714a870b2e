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
  using tables = await openTables(lake);
  const hashes: Record<string, string> = {};
  for (const name of names) {
    const { columns } = await tables.query(`select * from ${name} limit 0`);
    const counted = columns.filter((column) =>
      name === 'runs' ? OF_RUNS.includes(column) : !BESIDES.includes(column),
    );
    const list = counted.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ');
    const { rows } = await tables.query(`
      select count(*) || ' ' || md5(coalesce(string_agg(line, chr(10) order by line), '')) as hash
      from (select to_json(cells)::varchar as line from (select ${list} from ${name}) as cells)`);
    hashes[name] = String(rows[0]?.[0]);
  }
  return hashes;
}
