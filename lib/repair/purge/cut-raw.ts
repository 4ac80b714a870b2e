import { partsOf } from '../../api/body/parse.ts';
import { type ListedKey, lakeKey } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { PURGED_TO, type RawRow } from '../../lake/raw/raw.ts';
import { createRawFile, rawRows, readRawIndex, recordsText } from '../../lake/raw/raw-file.ts';
import { replaceRawFile } from '../../lake/sums/raw-sums.ts';
import { withoutParent } from './in-state.ts';

/** Where a record is in a raw file; `position` counts the records of the slice from 1. */
export interface RecordPlace extends Pick<RawRow, 'parentId' | 'page' | 'slice'> {
  readonly position: number;
}

export interface Cut {
  readonly records: readonly RecordPlace[];
  /** The parent whose answers go. */
  readonly parentId?: string | undefined;
}

const NOTHING = Buffer.alloc(0);

/**
 * Writes a raw file again without these records and answers. A page that had one, and the page behind it, keep their
 * other records, each as it was written, and lose the text around them: a link or cursor may name the record. A row without body says how many records
 * are gone. So the run still counts what the API sent, and a rebuild finds no listing short.
 */
export async function cutRaw(lake: Lake, file: ListedKey<'raw'>, cut: Cut): Promise<void> {
  await using scratch = await lake.scratch();
  const reader = await lake.open(file.key);
  if (reader === undefined) return;
  try {
    const { metadata } = await readRawIndex(reader, file.key);
    const path = `${scratch.path}/cut.parquet`;
    const written = await createRawFile(path);
    for await (const row of rawRows(reader)) {
      if (cut.parentId !== undefined && row.parentId === cut.parentId) continue;
      for (const left of withoutRecords(row, cut.records)) await written.append(left);
    }
    await written.close(metadataWithout(metadata, cut.parentId));
    await replaceRawFile(lake, { runId: file.runId, key: lakeKey('raw', file), path });
  } finally {
    await reader.close();
  }
}

function withoutRecords(row: RawRow, records: readonly RecordPlace[]): readonly RawRow[] {
  const ofParent = records.filter(({ parentId }) => parentId === row.parentId);
  // A page may begin with the last record of the page before, and then that record is in its text alone.
  if (row.body === null || !ofParent.some(({ page }) => page === row.page || page + 1 === row.page))
    return [row];
  const bare = { ...row, body: NOTHING, recordsFrom: null, recordsTo: null };
  const text = recordsText(row);
  if (text === undefined) return [bare];
  const ofSlice = ofParent.filter(({ page, slice }) => page === row.page && slice === row.slice);
  const positions = new Set(ofSlice.map((each) => each.position));
  const left = [...partsOf(text)].filter((_, index) => !positions.has(index + 1));
  const kept = {
    ...bare,
    items: row.items - positions.size,
    mended: `[${left.map((part) => part.text).join(',')}]`,
  };
  if (positions.size === 0) return [kept];
  const gone = {
    ...bare,
    outcome: null,
    errorCode: null,
    message: null,
    attempts: 0,
    body: null,
    mended: null,
  };
  return [{ ...gone, items: positions.size, recordsFrom: PURGED_TO, recordsTo: PURGED_TO }, kept];
}

/** What list and collect noted about the file, without the parent. */
function metadataWithout(
  metadata: Readonly<Record<string, string>>,
  parentId: string | undefined,
): Readonly<Record<string, string>> {
  if (parentId === undefined) return metadata;
  const left = { ...metadata };
  for (const name of ['notes', 'listed']) {
    const noted = metadata[name];
    if (noted !== undefined) left[name] = JSON.stringify(withoutParent(JSON.parse(noted), parentId));
  }
  return left;
}
