import { type Config, sourceIfAny } from '../config/config.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { isHidden } from '../plan/privacy.ts';
import { readSchema } from '../schema/schema.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';

/**
 * The columns, as TABLE.COLUMN, that the config hides but a head's files show, because their run did not hide
 * them. Throws SCHEMA_CORRUPT.
 */
export async function shownInClear(
  lake: Lake,
  { head, config }: { readonly head: Head; readonly config: Config | undefined },
): Promise<readonly string[]> {
  const { tables } = await readSchema(lake, head.schema);
  return RESOURCE_NAMES.flatMap((table) => {
    const settingsOf = (source: string) => config && sourceIfAny(config, source)?.resources[table];
    return (tables[table]?.columns ?? [])
      .filter(
        ({ since, paths, masked }) =>
          since !== null &&
          paths.some(
            ({ source, path, isDropped: wasDropped }) =>
              (isHidden('mask', settingsOf(source), path) && !masked.includes(source)) ||
              (isHidden('drop', settingsOf(source), path) && !wasDropped),
          ),
      )
      .map(({ name }) => `${table}.${name}`);
  });
}
