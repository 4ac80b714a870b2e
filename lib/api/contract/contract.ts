import * as z from 'zod';

/** `dialect` as raw, state and the head keep it. Reading drops what only older versions noted. */
export const contractShape = z.object({
  /** Where the records are, as the setting `items` says it: `$`, `data.items`, `{}`, `data{}`, `data{1}`. */
  envelope: z.string(),
  /** For a map of records: the keys that most records share; by them the map is recognized. */
  keys: z.array(z.string()).readonly().exactOptional(),
  /** The style of paging, as the setting `paging` says it; `none` if one answer has all records. */
  paging: z.string(),
  /** The member or header that declares the number of records. */
  total: z.string().exactOptional(),
  /** The number of records on a page with a next page. */
  pageSize: z.number().exactOptional(),
  /** The number of the first page, where it was requested by its number. */
  firstPage: z.number().exactOptional(),
  /** Facts by name: kind and a hash of their text (`word:5f2a9c01`), or `varies` after two values. */
  facts: z.record(z.string(), z.string()).exactOptional(),
  /** Of children: what the answer of one with records has next to them, by name; see `besideTexts`. */
  alongside: z.record(z.string(), z.string()).exactOptional(),
  /** The number of records of the last listing without a question. */
  wholeItems: z.number().exactOptional(),
});

/** What complete answers of a listing have shown. A commit keeps it for later runs. */
export type Contract = Readonly<z.infer<typeof contractShape>>;

/** True if a contract proves more than another of the same listing, because its pages were followed. */
export function provesMore(one: Contract, other: Contract | undefined): boolean {
  return other === undefined || (one.pageSize !== undefined && other.pageSize === undefined);
}
