import { lakePrefix, parseKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { ResourceName } from '../resources.ts';

/** The raw files of one resource of one source in a run. */
export interface RawOfResource {
  readonly source: string;
  readonly resource: ResourceName;
  readonly keys: readonly string[];
  /** Where DuckDB can read them. */
  readonly paths: readonly string[];
  /** Bytes of the files together. */
  readonly bytes: number;
}

/** What a run's raw holds of the given sources, a row a source and resource. */
export async function rawOfRun(
  lake: Lake,
  runId: string,
  sources: readonly string[],
): Promise<readonly RawOfResource[]> {
  const found: { source: string; resource: ResourceName; key: string; size: number }[] = [];
  for await (const { key, size } of lake.list(lakePrefix('raw', { runId }))) {
    const parsed = parseKey(key);
    if (parsed?.kind !== 'raw' || !sources.includes(parsed.source)) continue;
    found.push({ source: parsed.source, resource: parsed.resource, key, size });
  }
  const groups = Map.groupBy(found, ({ source, resource }) => `${source}/${resource}`);
  const all: RawOfResource[] = [];
  for (const files of groups.values()) {
    const [first] = files;
    if (first === undefined) continue;
    const keys = files.map(({ key }) => key);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    all.push({
      source: first.source,
      resource: first.resource,
      keys,
      paths: await lake.localPaths(keys),
      bytes,
    });
  }
  return all;
}
