import { committedHead } from '../lake/head.ts';
import { missingFiles, type NamedFiles, tableKeys } from '../lake/named-files.ts';
import { shownRows } from '../publish/shown-rows.ts';
import { openMasks } from '../run/history/masks.ts';
import type { OperationPreview } from '../run/payloads.ts';
import { recordOf } from '../run/run-record.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { cellTextSql } from '../schema/cells/cell-text-sql.ts';
import { columnsInFiles, readSchema } from '../schema/schema.ts';
import { quoteIdentifier, readParquet } from '../sql.ts';
import { columnOf, schemaWithType, type WantedType } from './apply-type.ts';
import { extentOf, NO_CHANGES } from './extent-of.ts';
import type { RepairServices } from './run-again.ts';

/**
 * What the type makes of the column's cells, in all dates with files; nothing is written. Throws UsageError
 * without such a column.
 */
export async function previewType(wanted: WantedType, services: RepairServices): Promise<OperationPreview> {
  const { lake } = services;
  const { table, column: name } = wanted;
  const { head } = await committedHead(lake);
  const record = await recordOf(lake, head, services.config);
  const base = { head, schema: await readSchema(lake, head.schema) };
  const schema = await schemaWithType(wanted, { base, record, services });
  const [before, after] = [columnOf(base.schema, wanted), columnOf(schema, wanted)];
  const isNew = before.provisional && !after.provisional;
  const cell = quoteIdentifier(name);
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  await openMasks(db, { schema, services, config: record.config });
  const read: NamedFiles[] = [];
  const cells = { days: 0, kept: 0, changed: 0, emptied: 0, filled: 0 };
  for (const [date, files] of Object.entries(head.tables[table]?.dates ?? {})) {
    if ((await missingFiles(lake, [{ table, date, ...files }])).length > 0) continue;
    cells.days += 1;
    read.push({ table, date, ...files });
    const isInFile = columnsInFiles(base.schema, table, files.run).has(name);
    if (!isInFile && !isNew) continue;
    const was = isInFile ? cellTextSql(cell, before.type) : 'null::varchar';
    const context = { db, services, record, base, schema, unit: 0, isAlone: true, scratch: scratch.path };
    const { rows } = await shownRows(context, { table, files: { date, ...files } });
    const stored = readParquet(await lake.localPaths(tableKeys(table, { date, ...files })));
    const [counts] = await db.rows(`
      -- grain: all records of a date
      select
        count(*) filter (was = will) as kept,
        count(*) filter (was <> will) as changed,
        count(*) filter (was is not null and will is null) as emptied,
        count(*) filter (was is null and will is not null) as filled
      from (select export_source, record_key, ${was} as was from ${stored})
      full join (select export_source, record_key, ${cellTextSql(cell, after.type)} as will from (${rows}))
        using (export_source, record_key)`);
    for (const count of ['kept', 'changed', 'emptied', 'filled'] as const)
      cells[count] += Number(counts?.[count]);
  }
  return { ...NO_CHANGES, rewritten: await extentOf(read, services), cells };
}
