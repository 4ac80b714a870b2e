import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { readRunRecordIfAny } from './run-record.ts';

/** A source of the config that still has its old name in the lake. */
export interface Renamed {
  readonly was: string;
  readonly name: string;
}

/**
 * The sources with a `was` that the lake still has, even if a rename was cut off. Throws UsageError
 * NAME_TAKEN where it has records under both names.
 */
export async function renamedSources(
  lake: Lake,
  { head, config }: { readonly head: Head | undefined; readonly config: Pick<Config, 'sources'> },
): Promise<readonly Renamed[]> {
  const wanted = config.sources.flatMap(({ was, name }) => (was === undefined ? [] : [{ was, name }]));
  if (head === undefined || wanted.length === 0) return [];
  // The record of the newest run is renamed last.
  const record = await readRunRecordIfAny(lake, head.runId);
  const isRecorded = (source: string) => record?.config.sources.some(({ name }) => name === source) === true;
  return wanted.filter(({ was, name }) => {
    const isThere = head.sources.includes(was);
    if (isThere && head.sources.includes(name))
      throw new UsageError(
        `${name} cannot take over the history of ${was}, because the lake has records of both. Remove "was" from ${name}. Then keep ${was} in the config, or start one run with --accept-source-removal ${was}.`,
        'NAME_TAKEN',
      );
    return isThere || isRecorded(was);
  });
}
