import { parseExact } from '../api/body/parse.ts';
import { ExportError } from '../errors.ts';
import { type KeyFields, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt, rawRecords, readRawIndex } from '../lake/raw/raw-file.ts';
import { type FoundDialect, listedIn } from '../run/dialects.ts';
import { childrenOf } from '../sources/resources.ts';
import { idCollector } from './id-collector.ts';
import type { ListOneOptions } from './list-one.ts';
import { latestRaw } from './listing-pass.ts';

interface Options extends Pick<ListOneOptions, 'source' | 'resource'> {
  readonly runId: string;
}

/**
 * What list noted of a listing that is in raw: the notes in state/ are lost, and the raw file has them too. The parents are
 * those of the listing, and all others with children in raw; undefined where it failed. Throws STATE_LOST without notes.
 */
export async function notedAgain(
  lake: Lake,
  options: Options,
): Promise<{ readonly found: FoundDialect; readonly parents: readonly string[] | undefined }> {
  const { runId, source, resource } = options;
  const place = { runId, source: source.name };
  const { key = '' } = (await latestRaw(lake, { ...place, resource: resource.name })) ?? {};
  await using reader = closing(await lake.open(key));
  const { rows, metadata } = await readRawIndex(reader, key);
  const found = listedIn(metadata['listed']);
  if (found === undefined) throw stateLost(lake, options);
  const isListed = rows.some(({ outcome }) => outcome === 'ok' || outcome === 'empty');
  if (!isListed) return { found, parents: undefined };
  const collector = idCollector(resource, found.idField);
  for await (const text of rawRecords(reader)) {
    const records = parseExact(text);
    if (Array.isArray(records)) collector.add(records);
  }
  const parents = new Set(collector.decide().ids);
  for (const { name } of childrenOf(resource.name))
    for (const id of await askedIn(lake, { ...place, resource: name })) parents.add(id);
  return { found, parents: [...parents] };
}

type Place = Pick<KeyFields<'raw'>, 'runId' | 'source' | 'resource'>;

/** The parents with an answer of that resource in raw. */
async function askedIn(lake: Lake, place: Place): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { key } of listKeys(lake, 'raw', place))
    for (const { parentId } of (await rawIndexAt(lake, key))?.rows ?? [])
      if (parentId !== null) ids.add(parentId);
  return ids;
}

function closing<Reader extends { close(): Promise<void> }>(reader: Reader | undefined) {
  if (reader === undefined) throw new Error('a raw file that was listed is gone');
  return Object.assign(reader, { [Symbol.asyncDispose]: () => reader.close() });
}

function stateLost(lake: Lake, { runId, source, resource }: Options): ExportError {
  return new ExportError({
    code: 'STATE_LOST',
    message: `Run ${runId} does not go on: ${lake.name} has its raw answers of ${source.name}, but what it noted of ${resource.name} is lost. Move raw/${runId}/ away, and start a new run.`,
  });
}
