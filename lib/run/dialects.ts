import * as z from 'zod';
import { type Contract, contractShape } from '../api/contract/contract.ts';
import type { Head } from '../lake/head.ts';
import { readJson, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';

const foundDialect = z.object({
  /** Missing where no answer could be understood. */
  dialect: contractShape.exactOptional(),
  /** The field whose value is the id that children are asked by; only where the resource has children. */
  idField: z.string().exactOptional(),
  /** The fields that may be the id where none is without doubt; the likeliest first. */
  idDoubts: z
    .array(z.object({ field: z.string(), lacking: z.number(), repeats: z.number() }).readonly())
    .readonly()
    .exactOptional(),
  /** Records that lack the field by which children are asked, which the config names. */
  lacking: z.number().exactOptional(),
  /** Records of the listing. */
  records: z.number(),
  /**
   * The listing came in one answer, or in pages that add up to a declared total. A record that it lacks does not exist
   * any more.
   */
  isWhole: z.boolean().exactOptional(),
  /** Parents of earlier runs that the listing lacks, and whose children are asked for all the same. */
  unlisted: z.array(z.string()).readonly().exactOptional(),
  /** See `ApiClient.minutesAhead`; an earlier version, and a server without a Date, knows none. */
  minutesAhead: z.number().exactOptional(),
  /** How many records came on two pages, in each reading of the listing. */
  repeats: z.number().exactOptional(),
});

export type FoundDialect = Readonly<z.infer<typeof foundDialect>>;

const resourceName = z.enum(RESOURCE_NAMES);

/** What was found of each resource of a source. */
const foundByResource = z.partialRecord(resourceName, foundDialect).readonly();

export type FoundByResource = z.infer<typeof foundByResource>;

/**
 * How a child listing is built. Answers with several records, or several pages, prove it; an answer with one record or
 * none cannot be understood by itself.
 */
const provenDialect = z.object({
  dialect: contractShape,
  /** The first pass whose answers are read by this dialect. */
  pass: z.number(),
});

const dialectsFile = z.object({
  /** What committed runs found, as the head has it. This run reads the answers in the same way. */
  locks: foundByResource,
  resources: foundByResource,
  /** Sweep notes here what this run proved about child listings that no committed run has read yet. */
  proven: z.partialRecord(resourceName, provenDialect).readonly().exactOptional(),
  /** The pass that collect begins with, and its batches. */
  pass: z.number(),
  batches: z.number(),
  /** The batch with which it begins. @default 0 */
  first: z.number().exactOptional(),
});

/** What list found out about a source in this run. It is written before the listing itself is put into raw. */
export type Dialects = Readonly<z.infer<typeof dialectsFile>>;

const NONE: Dialects = { locks: {}, resources: {}, pass: 0, batches: 0 };

/** The source's dialects in this run; none where list has found nothing yet. Throws STATE_CORRUPT. */
export async function readDialects(lake: Lake, place: { runId: string; source: string }): Promise<Dialects> {
  return (await readJson(lake, lakeKey('dialects', place), dialectsFile)) ?? NONE;
}

/** Writes what list has found so far. */
export async function writeDialects(
  lake: Lake,
  place: { runId: string; source: string },
  dialects: Dialects,
): Promise<void> {
  await writeJson(lake, lakeKey('dialects', place), dialects);
}

/** What a head or a plan says was found of a source; nothing where it says nothing that can be read. */
export function locksOf(head: Pick<Head, 'dialects'> | undefined, source: string): FoundByResource {
  const locks = foundByResource.safeParse(head?.dialects[source] ?? {});
  return locks.success ? locks.data : {};
}

/** The dialect that a raw file's metadata holds; undefined where it has none. */
export function dialectIn(metadata: string | undefined): Contract | undefined {
  return metadata === undefined ? undefined : contractShape.parse(JSON.parse(metadata));
}

/** True if some of the answers that a raw file's notes are about say where their next page is, or that there is none. */
export function isPaged({ dialect }: { readonly dialect?: string | undefined }): boolean {
  return (dialectIn(dialect)?.paging ?? 'none') !== 'none';
}
