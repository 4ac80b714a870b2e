import type { ApiClient } from '#lib/api/client.ts';
import type { Dialect } from '#lib/api/dialect.ts';
import { fetchListing } from '#lib/api/listing.ts';
import { AFTER_LAST, CURSORS, OFFSETS, PAGES, paramsOf } from '#lib/api/paging/usual-params.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { candidateNames } from '#lib/schema/record-key.ts';
import { type Resource, resourceNamed, type Target } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import type { Round } from './answering-paths.ts';
import { type Called, type Checked, isCallOf } from './checked.ts';
import type { Proposal } from './proposals.ts';

/** What a listing asks where there may be further pages, and nobody knows how to ask for them. */
const ASKED_FOR: ReadonlySet<string> = new Set([
  'CAP_SUSPECTED',
  'PAGING_UNPROVEN',
  'PAGING_LOOP',
  'PAGING_OTHER_ORIGIN',
]);
/** Children's answers that are compared, to find one that is long. */
const PARENTS_AT_MOST = 20;
/** A style is believed that has led to a third page, or to the end. */
const PAGES_PROVEN = 3;

/** A listing, and what it is asked with. */
interface Probed {
  readonly client: ApiClient;
  readonly source: Source;
  /** The source that takes no member of its answers for a failure. */
  readonly plain: Source;
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly target: Target;
}

/**
 * The settings `paging` with which listings give more than their first answer has: each of the usual parameters is asked
 * for once, and followed where it gives other records.
 */
export async function probedPaging(round: Round, services: ApiServices): Promise<readonly Proposal[]> {
  const found: Proposal[] = [];
  for (const listing of round.listings) {
    const source = round.config.sources.find(({ name }) => name === listing.source);
    const cut = cutMember(listing);
    const isOpen = cut !== undefined || listing.asks.some(({ code }) => ASKED_FOR.has(code));
    if (source === undefined || source.resources[listing.resource]?.paging !== undefined) continue;
    const resource = resourceNamed(listing.resource);
    const isChild = resource.parent !== null;
    const known = stylesOf(source);
    if (!isOpen && !(isChild && known.length > 0)) continue;
    const client = services.client(source, { width: 1 });
    const plain = cut === undefined ? source : withSettings(source, resource, { ignore: [cut] });
    const probed = await longestOf({ client, source, plain, resource, calls: round.calls });
    if (probed === undefined) continue;
    // Few parents are looked at: another one's children may be as many as a page of the source's other listings.
    const shown = isOpen ? await shownStyle(probed) : [];
    const value =
      (await firstGivingMore(probed, known)) ??
      (cut === undefined ? undefined : await firstReading(probed, shown)) ??
      (isOpen ? await styleOf(probed, offeredBy(listing, shown)) : undefined);
    if (value === undefined) continue;
    const setting = `resources.${resource.name}.paging`;
    const why = `there are further ${resource.name}, which are asked for in this way`;
    found.push({ source: source.name, resource: resource.name, setting, value, why });
  }
  return found;
}

/** The member that says that an answer is not whole, of which nobody knows whether it speaks of pages or of a failure. */
function cutMember({ asks }: Checked): string | undefined {
  const failed = asks.find(({ code }) => code === 'API_ERROR')?.cures ?? [];
  if (!failed.some(({ setting }) => setting.endsWith('.paging'))) return undefined;
  const [names] = failed.flatMap(({ setting, choices }) => (setting.endsWith('.ignore') ? choices : []));
  return Array.isArray(names) ? String(names[0]) : undefined;
}

/** The style that the answers show by themselves; none where nobody understands them. */
async function shownStyle({ client, plain, resource, parentId }: Probed): Promise<readonly string[]> {
  const rows = fetchListing({ client, source: plain, resource, parentId });
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return next.value.dialect === null ? [] : [next.value.dialect.paging];
  }
}

/** The styles that the questions of a listing offer and its answers show, and the parameters that their cursors may have. */
function offeredBy({ asks }: Checked, shown: readonly string[]): readonly string[] {
  const choices = asks.flatMap(({ cures }) =>
    cures.flatMap(({ setting, choices }) => (setting.endsWith('.paging') ? choices.map(String) : [])),
  );
  const offered = [...shown, ...choices].filter((text) => text !== 'none');
  const cursors = offered.flatMap((text) => {
    const [, param = '', place = ''] = /^cursor:([^@]*)(@.*)?$/.exec(text) ?? [];
    return param === ''
      ? []
      : [{ name: place === '' ? param : place.slice(place.lastIndexOf('.') + 1), place }];
  });
  // Without a place the cursor is found by its name.
  const named = cursors.flatMap(({ name, place }) =>
    paramsOf(name).map((param) => `cursor:${param}${place}`),
  );
  const places = new Set([...cursors.map(({ place }) => place), '']);
  const usual = [...places].flatMap((place) => CURSORS.map((param) => `cursor:${param}${place}`));
  return [...new Set([...offered, ...named, ...usual])];
}

/** The first style that gives more; undefined where none does. */
async function styleOf(probed: Probed, offered: readonly string[]): Promise<string | undefined> {
  const { records: first, dialect } = await onePage(probed, {});
  if (first.length === 0) return undefined;
  for (const style of [...offered, ...lastStyles(first, probed.resource)])
    if (await givesMore(probed, { style, first })) return style;
  // Pages that are counted from 0 may have no page 2.
  const numbered = [
    ...PAGES.map((param) => ({ style: `page:${param}`, param, values: ['2', '1'] })),
    ...OFFSETS.map((param) => ({ style: `offset:${param}`, param, values: [String(first.length)] })),
  ];
  for (const { style, param, values } of numbered) {
    let page: readonly string[] = [];
    for (const value of values)
      if (page.length === 0) page = (await onePage(probed, { [param]: value }, dialect)).records;
    if (page.length === 0 || page[0] === first[0]) continue;
    if (await givesMore(probed, { style, first })) return style;
  }
  return undefined;
}

/** The first of the source's styles that gives more than one answer. */
async function firstGivingMore(probed: Probed, styles: readonly string[]): Promise<string | undefined> {
  if (styles.length === 0) return undefined;
  const { records: first } = await onePage(probed, {});
  for (const style of styles) if (await givesMore(probed, { style, first })) return style;
  return undefined;
}

/** The styles that ask for what comes after the last record, by the fields that may be its id. */
function lastStyles([first = '{}']: readonly string[], resource: Resource): readonly string[] {
  const candidates = new Set(candidateNames(resource).map((name) => name.toLowerCase()));
  const ids = Object.keys(Object(JSON.parse(first))).filter((name) => candidates.has(name.toLowerCase()));
  return ids.flatMap((id) => AFTER_LAST.map((param) => `cursor:${param}@last:${id}`));
}

/** Whether a listing in that style is more than its first answer: followed to the third page, or to its end. */
async function givesMore(
  { client, source, resource, parentId }: Probed,
  { style, first }: { readonly style: string; readonly first: readonly string[] },
): Promise<boolean> {
  let records = 0;
  const rows = fetchListing({
    client,
    source: withPaging(source, resource, style),
    resource,
    parentId,
    onRecords: (more) => {
      records += more.length;
    },
  });
  for (;;) {
    const next = await rows.next();
    if (next.done === true) {
      const { outcome, question } = next.value;
      return outcome === 'ok' && question === undefined && records > first.length;
    }
    if (next.value.page >= PAGES_PROVEN - 1 && records > first.length) return true;
  }
}

/** The styles that the config has for other listings of the source. */
function stylesOf({ resources }: Source): readonly string[] {
  const styles = Object.values(resources).flatMap(({ paging }) => paging ?? []);
  return [...new Set(styles)].filter((style) => style !== 'none');
}

async function firstReading(probed: Probed, styles: readonly string[]): Promise<string | undefined> {
  for (const style of styles) if (await isReadBy(probed, style)) return style;
  return undefined;
}

/** Whether a listing is read in that style without a question. */
async function isReadBy({ client, source, resource, parentId }: Probed, style: string): Promise<boolean> {
  const rows = fetchListing({ client, source: withPaging(source, resource, style), resource, parentId });
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return next.value.outcome === 'ok' && next.value.question === undefined;
  }
}

interface OnePage {
  /** Each as a text; none where the answer is refused. */
  readonly records: readonly string[];
  readonly dialect: Dialect | null;
}

/** One answer to the listing with this query. A page of one record may be understood by the form of another page alone. */
async function onePage(
  { client, plain, resource, parentId, target }: Probed,
  query: Readonly<Record<string, string>>,
  form: Dialect | null = null,
): Promise<OnePage> {
  const records: string[] = [];
  const rows = fetchListing({
    client,
    source: withPaging(plain, resource, 'none'),
    resource: {
      ...resource,
      target: () => ({ path: target.path, query: { ...target.query, ...query } }),
    },
    parentId,
    ...(form && { form }),
    onRecords: (more) => records.push(...more.map((record) => JSON.stringify(record))),
  });
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return { records, dialect: next.value.dialect };
  }
}

function withPaging(source: Source, resource: Resource, paging: string): Source {
  return withSettings(source, resource, { paging });
}

function withSettings(
  source: Source,
  { name }: Resource,
  settings: { readonly paging?: string; readonly ignore?: readonly string[] },
): Source {
  const own = { columns: {}, drop: [], mask: [], ...source.resources[name] };
  return { ...source, resources: { ...source.resources, [name]: { ...own, ...settings } } };
}

/** The listing as it was called; of children's that of the parent with the most records. */
async function longestOf(options: {
  readonly client: ApiClient;
  readonly source: Source;
  readonly plain: Source;
  readonly resource: Resource;
  readonly calls: readonly Called[];
}): Promise<Probed | undefined> {
  const { client, source, plain, resource, calls } = options;
  if (resource.parent === null)
    return { client, source, plain, resource, parentId: null, target: resource.target(source, '') };
  const isOf = isCallOf(resource, source);
  const own = calls.filter((call) => call.source === source.name && isOf(call.path));
  const ids = [...new Set(own.flatMap((call) => parentIn(call, resource.target(source, PARENT)) ?? []))];
  let longest: { readonly probed: Probed; readonly records: number } | undefined;
  for (const parentId of ids.slice(0, PARENTS_AT_MOST)) {
    const probed = { client, source, plain, resource, parentId, target: resource.target(source, parentId) };
    const { records } = await onePage(probed, {});
    // A parent whose answer does not say that it is cut has no further page.
    const isCut = plain === source || (await onePage({ ...probed, plain: source }, {})).records.length === 0;
    if (isCut && records.length > (longest?.records ?? 0)) longest = { probed, records: records.length };
  }
  return longest?.probed;
}

const PARENT = 'PARENT';

/** The id of the parent whose children a call asked for; undefined where it is not in it. */
function parentIn({ path, query }: Called, template: Target): string | undefined {
  const [param] = Object.entries(template.query).find(([, value]) => value === PARENT) ?? [];
  if (param !== undefined) return query[param];
  const [before = '', behind] = template.path.split(PARENT);
  return behind === undefined
    ? undefined
    : decodeURIComponent(path.slice(before.length, path.length - behind.length));
}
