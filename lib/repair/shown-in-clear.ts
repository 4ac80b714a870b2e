import type { Config } from '../config/config.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { isDropped, isMasked } from '../plan/privacy.ts';
import { RESOURCE_NAMES } from '../resources.ts';
import { readRunRecordIfAny } from '../runtime/run-record.ts';
import { readSchema } from '../schema/schema.ts';

/**
 * The columns of a head's files, as TABLE.COLUMN, whose values the config hides and whose own run did not. Throws
 * SCHEMA_CORRUPT.
 */
export async function shownInClear(
  lake: Lake,
  { head, config }: { readonly head: Head; readonly config: Config | undefined },
): Promise<readonly string[]> {
  const { tables } = await readSchema(lake, head.schema);
  /** Where two sources share a column and one was dropped, only the run's config tells so. */
  const then = (await readRunRecordIfAny(lake, head.runId))?.config;
  return RESOURCE_NAMES.flatMap((table) => {
    const settingsOf = (of: Config | undefined, source: string) =>
      of?.sources.find(({ name }) => name === source)?.resources[table];
    return (tables[table]?.columns ?? [])
      .filter(
        ({ since, paths, masked }) =>
          since !== null &&
          paths.some(
            ({ source, path }) =>
              (isMasked(settingsOf(config, source), path) && !masked.includes(source)) ||
              (isDropped(settingsOf(config, source), path) && !isDropped(settingsOf(then, source), path)),
          ),
      )
      .map(({ name }) => `${table}.${name}`);
  });
}
