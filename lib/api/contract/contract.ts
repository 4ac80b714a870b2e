import * as z from 'zod';

/** `dialect` as it is kept in raw, in state and in the head. What only older versions noted is left out when it is read. */
export const contractShape = z.object({
  /** Where the records are, as the setting `items` says it: `$`, `data.items`, `{}`, `data{}`, `data{1}`. */
  envelope: z.string(),
  /** For a map of records: the keys that most records share, by which the map is known again. */
  keys: z.array(z.string()).readonly().exactOptional(),
  /** The row of conventions that the answers follow; `words` where only their words tell. */
  convention: z.string().exactOptional(),
  /** The style of paging, as the setting `paging` says it; `none` if one answer is all. */
  paging: z.string(),
  /** The member or header that declares how many records there are. */
  total: z.string().exactOptional(),
  /** Records on a page that another page followed. */
  pageSize: z.number().exactOptional(),
  /** The number of the first page, where it was requested by its number. */
  firstPage: z.number().exactOptional(),
  /** What stands next to the records, by name: kind and a hash of its text (`word:5f2a9c01`), or `varies` where it has had two values. */
  facts: z.record(z.string(), z.string()).exactOptional(),
  /** How many records the last listing had that nothing put in question. */
  wholeItems: z.number().exactOptional(),
  /** True: the declared total changed while the pages were read. */
  isMoved: z.boolean().exactOptional(),
  /** True: fewer records, or pages, came than were declared while they were read. */
  isBelow: z.boolean().exactOptional(),
  /** True: the listing is in doubt, and a record that it lacks is not removed. */
  isCapSuspected: z.boolean().exactOptional(),
});

/** What complete answers of a listing have shown. A commit keeps it for later runs. */
export type Contract = Readonly<z.infer<typeof contractShape>>;

/** True if a contract proves more than another one of the same listing, for its pages were followed. */
export function provesMore(one: Contract, other: Contract | undefined): boolean {
  return other === undefined || (one.pageSize !== undefined && other.pageSize === undefined);
}
