import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ExportError, instead, isA } from '../errors.ts';
import type { Head } from './head-shape.ts';
import { readJson } from './json-object.ts';
import { lakeKey } from './keys.ts';
import { ConditionFailed, type Lake } from './lake.ts';

/** The version of the lake's keys and files. A change that an earlier program would misread raises it. */
const FORMAT = 1;

const marker = z.object({ format: z.number().int().positive(), id: z.string().min(1) });

/** The lake's id; undefined for an earlier version's lake. Throws LAKE_NEWER, STATE_CORRUPT. */
export async function readLakeId(lake: Lake): Promise<string | undefined> {
  const found = await readJson(lake, lakeKey('marker'), marker);
  if (found === undefined || found.format <= FORMAT) return found?.id;
  throw new ExportError({
    code: 'LAKE_NEWER',
    message: `${lake.name} has format ${found.format}, and this program knows formats up to ${FORMAT}: a later one wrote this lake. Install that one, or name another lake with --lake; nothing is damaged.`,
  });
}

/** Writes the lake's missing marker. Throws LAKE_MIXED where the head is of another lake. */
export async function markLake(lake: Lake, head: Head | undefined): Promise<void> {
  if ((await readLakeId(lake)) === undefined) {
    const made = { format: FORMAT, id: head?.lake ?? randomUUID() };
    const bytes = Buffer.from(`${JSON.stringify(made)}\n`);
    await lake.write(lakeKey('marker'), bytes, { absent: true }).catch(instead(isA(ConditionFailed), ''));
  }
  await refuseOtherLake(lake, head);
}

/** True where the head was committed in this lake, or does not name one. */
export function isOfLake({ lake }: Pick<Head, 'lake'>, id: string | undefined): boolean {
  return lake === undefined || id === undefined || lake === id;
}

/** Throws LAKE_MIXED where the head was committed in another lake: its files are missing or differ. */
export async function refuseOtherLake(lake: Lake, head: Head | undefined): Promise<void> {
  if (head === undefined || isOfLake(head, await readLakeId(lake))) return;
  throw new ExportError({
    code: 'LAKE_MIXED',
    message: `${lake.name}/${lakeKey('head')} is of another lake than ${lake.name}/${lakeKey('marker')} says: files of two lakes were put together. Put this lake's own state/ back, or let \`recover\` make its head again; where only ${lakeKey('marker')} is of the other lake, remove that file, and the next start writes it again.`,
  });
}
