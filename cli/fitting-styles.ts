import { fetchListing } from '#lib/api/listing.ts';
import { parsePaging } from '#lib/config/paging-style.ts';
import { treeOf, withSettings } from '#lib/config/setting-tree.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { type Resource, resourceNamed } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import type { Checked, Round } from './checked.ts';
import type { Proposal } from './proposals.ts';

/** Each costs a call, or two, where it does not fit. */
const TRIED_AT_MOST = 2;
/** A style fits that has led to a third page, or to the end. */
const PAGES_PROVEN = 3;

interface Tried {
  readonly client: ReturnType<ApiServices['client']>;
  readonly source: Source;
  readonly resource: Resource;
  readonly parentId: string | null;
}

/** The settings `paging` by which listings give further records: the style of another listing of the source, or one that its question names. */
export async function fittingStyles(round: Round, services: ApiServices): Promise<readonly Proposal[]> {
  const found: Proposal[] = [];
  for (const listing of round.listings) {
    const source = round.config.sources.find(({ name }) => name === listing.source);
    const { paging, complete } = source?.resources[listing.resource] ?? {};
    if (source === undefined || paging !== undefined || complete === true) continue;
    const resource = resourceNamed(listing.resource);
    const others = round.listings.filter((each) => each.source === source.name && each !== listing);
    const known = [...new Set(others.flatMap((other) => styleOf(other, source)))];
    const offered = offeredBy(listing);
    const isOpen = offered !== undefined;
    const isPlainChild = resource.parent !== null && listing.paging === 'none';
    const styles = [...new Set([...known, ...(offered ?? [])])].slice(0, TRIED_AT_MOST);
    if (styles.length === 0 || !(isOpen || isPlainChild)) continue;
    const client = services.client(source, { width: 1 });
    const tried = await longestOf(
      { client, source, resource, parentId: null },
      round.sampled.get(source.name) ?? [],
    );
    for (const style of styles) {
      const fits = (await givesMore(tried, style)) || (!isOpen && (await isRead(tried, style)));
      if (!fits) continue;
      const why = `there are further ${resource.name}, or would be, and they are asked for in this way`;
      found.push({
        source: source.name,
        resource: resource.name,
        setting: `resources.${resource.name}.paging`,
        value: style,
        why,
      });
      break;
    }
  }
  return found;
}

/** The style of a listing as a setting; none where one answer is all. */
function styleOf({ resource, contract }: Checked, source: Source): readonly string[] {
  const { paging = 'none', firstPage } = contract ?? {};
  const style =
    source.resources[resource]?.paging ??
    (/^page:[^=]*$/.test(paging) ? `${paging}=${firstPage ?? 1}` : paging);
  return style === 'none' ? [] : [style];
}

/** The styles that a listing's question names; undefined where it asks nothing about pages. */
function offeredBy({ questions }: Checked): readonly string[] | undefined {
  const cures = questions.flatMap((each) => each.cures).filter(({ setting }) => setting.endsWith('.paging'));
  return cures.length === 0
    ? undefined
    : cures.flatMap(({ choices }) => choices.map(String)).filter((style) => style !== 'none');
}

/** The listing itself; of children's that of the parent with the most records. */
async function longestOf(tried: Tried, parents: readonly string[]): Promise<Tried> {
  if (tried.resource.parent === null) return tried;
  const counts = new Map<string, number>();
  for (const parentId of parents)
    counts.set(parentId, (await read({ ...tried, parentId }, 'none')).records.length);
  const [longest] = [...counts].toSorted(([, a], [, b]) => b - a);
  return { ...tried, parentId: longest?.[0] ?? '' };
}

async function givesMore(tried: Tried, style: string): Promise<boolean> {
  const first = await read(tried, 'none');
  const { records, isWhole } = await read(tried, style);
  return isWhole && first.records.length > 0 && records.length > first.records.length;
}

/** Whether the server reads the parameter of pages that are numbered: behind the last one there is no record, and under another name all. */
async function isRead(tried: Tried, style: string): Promise<boolean> {
  const { name, param } = parsePaging(style) ?? {};
  const { records: first } = await read(tried, 'none');
  if ((name !== 'page' && name !== 'offset') || first.length === 0) return false;
  const beyond = name === 'offset' ? String(first.length) : '2';
  const behind = await read(tried, 'none', { [String(param)]: beyond });
  const other = await read(tried, 'none', { [`${param}_unread`]: beyond });
  return behind.records.length === 0 && other.records[0] === first[0];
}

/** The records of a listing in that style, as texts, and whether nothing of it is in question: to the third page, or to its end. */
async function read(
  { client, source, resource, parentId }: Tried,
  paging: string,
  query: Readonly<Record<string, string>> = {},
) {
  const records: string[] = [];
  const target: Resource['target'] = (...of) => {
    const plain = resource.target(...of);
    return { ...plain, query: { ...plain.query, ...query } };
  };
  const rows = fetchListing({
    client,
    source: withSettings(source, treeOf({ [`resources.${resource.name}.paging`]: paging })),
    resource: { ...resource, target },
    parentId,
    onRecords: (more) => records.push(...more.map((record) => JSON.stringify(record))),
  });
  for (;;) {
    const next = await rows.next();
    if (next.done === true)
      return { records, isWhole: next.value.outcome === 'ok' && next.value.question === undefined };
    if (next.value.page >= PAGES_PROVEN - 1) return { records, isWhole: true };
  }
}
