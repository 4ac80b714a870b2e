import { committedHead, type Head } from '../lake/head.ts';
import { readSchema } from '../schema/schema.ts';
import { rewriteHistory } from './rewrite-history.ts';
import type { RepairServices } from './run-again.ts';
import { columnOf, schemaWithType, type WantedType } from './schema-with-type.ts';

export interface ApplyType extends WantedType {
  /** True: values that would be lost without their raw go to rejects. */
  readonly acceptLoss?: boolean;
}

/**
 * Sets another type for a column: in all committed files with one commit, and in all later runs. Values that
 * the type cannot hold go to rejects. Throws UsageError if the column does not exist.
 */
export async function applyType(wanted: ApplyType, services: RepairServices): Promise<Head> {
  const { head } = await committedHead(services.lake);
  columnOf(await readSchema(services.lake, head.schema), wanted);
  return await rewriteHistory(services, {
    acceptLoss: wanted.acceptLoss === true,
    schemaOf: (from) => schemaWithType(wanted, { ...from, services }),
    types: { [`${wanted.table}.${wanted.column}`]: wanted.type },
  });
}
