import { parseExact } from '../api/body/parse.ts';
import { ExportError } from '../errors.ts';
import { type KeyFields, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt, rawRecords, readRawIndex } from '../lake/raw/raw-file.ts';
import { type FoundDialect, listedIn } from '../run/dialects.ts';
import { childrenOf } from '../sources/resources.ts';
import { idCollector } from './id-collector.ts';
import type { ListOneOptions } from './list-one.ts';

interface Options extends Pick<ListOneOptions, 'source' | 'resource' | 'lock'> {
  readonly runId: string;
}

/**
 * What list noted of a listing that is in raw, made again from its answers: the notes are lost with state/. The parents
 * are those of the listing, and all others with children in raw; undefined where it failed. Throws STATE_LOST where no field is surely their id.
 */
export async function notedAgain(
  lake: Lake,
  options: Options,
): Promise<{ readonly found: FoundDialect; readonly parents: readonly string[] | undefined }> {
  const { runId, source, resource, lock } = options;
  const place = { runId, source: source.name };
  const key = await latestKey(lake, { ...place, resource: resource.name });
  await using reader = closing(await lake.open(key));
  const { rows, metadata } = await readRawIndex(reader, key);
  const noted = listedIn(metadata['listed']);
  const isListed = rows.some(({ outcome }) => outcome === 'ok' || outcome === 'empty');
  if (!isListed) return { found: noted ?? { records: 0, isWhole: false }, parents: undefined };
  const setting = source.resources[resource.name]?.id ?? noted?.idField ?? lock?.idField;
  const collector = idCollector(resource, setting);
  let records = 0;
  let pages = 0;
  for await (const { page, text } of rawRecords(reader)) {
    const all = parseExact(text);
    if (!Array.isArray(all)) continue;
    collector.add(all);
    records += all.length;
    pages = Math.max(pages, page + 1);
  }
  const { field, ids, lacking } = collector.decide();
  const children = childrenOf(resource.name);
  if (children.length > 0 && records > 0 && field === undefined) throw stateLost(lake, options);
  const asked = new Set<string>();
  for (const { name } of children)
    for (const id of await askedIn(lake, { ...place, resource: name })) asked.add(id);
  const unlisted = [...asked].filter((id) => !ids.has(id));
  return {
    found: noted ?? {
      records,
      // A run asks for unlisted parents only where its listing may not be whole.
      isWhole: pages <= 1 && unlisted.length === 0,
      ...(lock?.dialect && { dialect: lock.dialect }),
      ...(field !== undefined && { idField: field }),
      ...(lacking > 0 && { lacking }),
      ...(unlisted.length > 0 && { unlisted }),
    },
    parents: [...ids, ...unlisted],
  };
}

type Place = Pick<KeyFields<'raw'>, 'runId' | 'source' | 'resource'>;

async function latestKey(lake: Lake, place: Place): Promise<string> {
  let latest = { key: '', pass: -1 };
  for await (const file of listKeys(lake, 'raw', place)) if (file.pass > latest.pass) latest = file;
  return latest.key;
}

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
    message: `Run ${runId} does not go on: ${lake.name} has its raw answers of ${source.name}, but what it noted of ${resource.name} is lost with state/, and no field is surely their id. Move raw/${runId}/ away, and start a new run.`,
  });
}
