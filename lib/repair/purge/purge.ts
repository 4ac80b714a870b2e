import { UsageError } from '../../errors.ts';
import { committedHead, type Head, readRunHead } from '../../lake/head.ts';
import { lakeKey, lakePrefix, listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { namedFiles } from '../../lake/named-files.ts';
import { removeAll } from '../../lake/remove-all.ts';
import type { Services } from '../../runtime/services.ts';
import { didYouMean } from '../../text.ts';
import type { RepairServices } from '../run-again.ts';
import { type FilesWithRows, filesWith } from './files-with.ts';
import { forgetRemoved, removeRows } from './remove-rows.ts';

/**
 * Removes every row, raw answer and batch of a source for good: first from all tables and dates with one commit, then
 * from raw and state. Replaced files and those that no head names go a day later. Throws UsageError SOURCE_UNKNOWN.
 */
export async function purge(source: string, services: RepairServices): Promise<Head> {
  const { lake } = services;
  const before = await headWith(source, lake);
  const after = await removeRows(
    { source },
    { before, unitsOf: () => filesOfSource(source, services), services },
  );
  await removeAll(lake, lakePrefix('raw', {}), (key) => key?.kind === 'raw' && key.source === source);
  await lake.remove([lakeKey('parents', { source }), lakeKey('turn', { source })]);
  await forgetRemoved(lake, { removed: { source }, before, after });
  return after;
}

/** The committed head. Throws UsageError SOURCE_UNKNOWN if nothing of the source is in the lake. */
async function headWith(source: string, lake: Lake): Promise<Head> {
  const { head } = await committedHead(lake);
  if (await isKnown(lake, { head, source })) return head;
  const known = Object.keys(head.dialects);
  const otherwise = known.length === 0 ? 'it has no data of any source' : `name one of ${known.join(', ')}`;
  const cure = didYouMean(source, { known, otherwise });
  throw new UsageError(
    `${lake.name} has no data of a source ${JSON.stringify(source)}: ${cure}`,
    'SOURCE_UNKNOWN',
  );
}

/**
 * What a purge writes again: the files of each date of a table with rows of the source. Each keeps the name
 * of the run that wrote it. A lost file has no rows. Throws UsageError SOURCE_UNKNOWN.
 */
export async function filesOfSource(source: string, services: Services): Promise<readonly FilesWithRows[]> {
  const named = namedFiles(await headWith(source, services.lake));
  return await filesWith({ source }, { named, services });
}

async function isKnown(
  lake: Lake,
  { head, source }: { readonly head: Head; readonly source: string },
): Promise<boolean> {
  if (head.dialects[source] !== undefined || head.sources.includes(source)) return true;
  for await (const raw of listKeys(lake, 'raw')) if (raw.source === source) return true;
  // After an interrupted purge, the source may be left only in the heads of earlier runs.
  for await (const { runId } of listKeys(lake, 'runHead')) {
    const earlier = await readRunHead(lake, runId);
    if (earlier?.dialects[source] !== undefined || earlier?.sources.includes(source) === true) return true;
  }
  return false;
}
