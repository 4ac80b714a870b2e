import * as z from 'zod';
import { type Contract, contractShape } from '../api/contract/contract.ts';
import type { Head } from '../lake/head.ts';
import { readJson, writeJson } from '../lake/json-object.ts';
import { type KeyFields, lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';

/** A field that may be the id. */
const idDoubt = z
  .object({
    field: z.string(),
    /** The number of records without the field. */
    lacking: z.number(),
    /** The number of records that repeat a value of an earlier record. */
    repeats: z.number(),
  })
  .readonly();
export type IdDoubt = z.infer<typeof idDoubt>;

const foundDialect = z.object({
  /** Missing where no answer was readable. */
  dialect: contractShape.exactOptional(),
  /** The field with the id in the children's path; only where the resource has children. */
  idField: z.string().exactOptional(),
  /** The fields that may be the id where none is certain; the likeliest first. */
  idDoubts: z.array(idDoubt).readonly().exactOptional(),
  /** The number of records without the id field that the config names. */
  lacking: z.number().exactOptional(),
  /** The number of records of the listing. */
  records: z.number(),
  /**
   * True where the listing came in one answer, or its pages add up to a declared total. A record that it
   * lacks no longer exists.
   */
  isWhole: z.boolean().exactOptional(),
  /** Parents of earlier runs that the listing lacks; their children are requested anyway. */
  unlisted: z.array(z.string()).readonly().exactOptional(),
  /** See `ApiClient.minutesAhead`; missing in an earlier version, or if the server sends no Date. */
  minutesAhead: z.number().exactOptional(),
  /** How many records came on two pages, in each reading of the listing. */
  repeats: z.number().exactOptional(),
});

export type FoundDialect = Readonly<z.infer<typeof foundDialect>>;

const resourceName = z.enum(RESOURCE_NAMES);

/** The findings about each resource of a source. */
const foundByResource = z.partialRecord(resourceName, foundDialect).readonly();

export type FoundByResource = z.infer<typeof foundByResource>;

/**
 * How a child listing is built. Answers with several records or pages prove it. An answer with one record or
 * none is unreadable alone.
 */
const provenDialect = z.object({
  dialect: contractShape,
  /** The first pass with answers that are read by this dialect. */
  pass: z.number(),
});

const dialectsFile = z.object({
  /** The findings of committed runs, from the head. This run reads the answers in the same way. */
  locks: foundByResource,
  resources: foundByResource,
  /** What this run proved, for child listings that no committed run has read. Sweep notes it. */
  proven: z.partialRecord(resourceName, provenDialect).readonly().exactOptional(),
  /** The first pass of collect, and its batches. */
  pass: z.number(),
  batches: z.number(),
  /** The first batch. @default 0 */
  first: z.number().exactOptional(),
});

/** What list found out about a source in this run. It is written before the listing goes into raw. */
export type Dialects = Readonly<z.infer<typeof dialectsFile>>;

const NONE: Dialects = { locks: {}, resources: {}, pass: 0, batches: 0 };

/** The source's dialects in this run; empty before list has found any. Throws STATE_CORRUPT. */
export async function readDialects(lake: Lake, place: KeyFields<'dialects'>): Promise<Dialects> {
  return (await readJson(lake, lakeKey('dialects', place), dialectsFile)) ?? NONE;
}

export async function writeDialects(
  lake: Lake,
  place: KeyFields<'dialects'>,
  dialects: Dialects,
): Promise<void> {
  await writeJson(lake, lakeKey('dialects', place), dialects);
}

/** The findings about a source in a head or a plan; empty where nothing there is readable. */
export function locksOf(head: Pick<Head, 'dialects'> | undefined, source: string): FoundByResource {
  const locks = foundByResource.safeParse(head?.dialects[source] ?? {});
  return locks.success ? locks.data : {};
}

/** What list noted in the metadata of a listing's raw file; undefined where that has no note. */
export function listedIn(metadata: string | undefined): FoundDialect | undefined {
  return metadata === undefined ? undefined : foundDialect.parse(JSON.parse(metadata));
}

/** The dialect in a raw file's metadata; undefined where it has none. */
export function dialectIn(metadata: string | undefined): Contract | undefined {
  return metadata === undefined ? undefined : contractShape.parse(JSON.parse(metadata));
}

/** True if some answers of the raw file name their next page, or say that there is none. */
export function isPaged({ dialect }: { readonly dialect?: string | undefined }): boolean {
  return (dialectIn(dialect)?.paging ?? 'none') !== 'none';
}
