import type { Said } from '#lib/api/beside/beside.ts';
import type { ApiClient } from '#lib/api/client.ts';
import type { Dialect } from '#lib/api/dialect.ts';
import type { HeaderFields } from '#lib/api/headers.ts';
import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '#lib/api/limits.ts';
import { fetchListing } from '#lib/api/listing.ts';
import { createUnderstanding } from '#lib/api/understand.ts';
import type { Outcome } from '#lib/lake/raw/raw.ts';
import type { Resource, Target } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { type Called, isCallOf } from './checked.ts';

/** Children's answers that are compared, to find one that is long. */
const PARENTS_AT_MOST = 20;
/** A style is believed that has led to a third page, or to the end. */
const PAGES_PROVEN = 3;

/** A listing, and what it is asked with. */
export interface Probed {
  readonly client: ApiClient;
  readonly source: Source;
  /** The source that takes no member of its answers for a failure. */
  readonly plain: Source;
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly target: Target;
}

/** The style that the answers show by themselves; none where nobody understands them. */
export async function shownStyle({ client, plain, resource, parentId }: Probed): Promise<readonly string[]> {
  const rows = fetchListing({ client, source: plain, resource, parentId });
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return next.value.dialect === null ? [] : [next.value.dialect.paging];
  }
}

/** Whether a listing in that style is more than its first answer: followed to the third page, or to its end. */
export async function givesMore(
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

/** Whether a listing is read in that style without a question. */
export async function isReadBy(
  { client, source, resource, parentId }: Probed,
  style: string,
): Promise<boolean> {
  const rows = fetchListing({ client, source: withPaging(source, resource, style), resource, parentId });
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return next.value.outcome === 'ok' && next.value.question === undefined;
  }
}

export interface OnePage {
  /** Each as a text; none where the answer is refused. */
  readonly records: readonly string[];
  readonly dialect: Dialect | null;
  readonly outcome: Outcome;
}

/** One answer to the listing with this query. A page of one record may be understood by the form of another page alone. */
export async function onePage(
  { client, plain, resource, parentId, target }: Probed,
  query: Readonly<Record<string, string>>,
  form: { readonly form?: Dialect } = {},
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
    ...form,
    onRecords: (more) => records.push(...more.map((record) => JSON.stringify(record))),
  });
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return { records, dialect: next.value.dialect, outcome: next.value.outcome };
  }
}

/** The first answer as it is: its headers, and what stands beside its records. Undefined where it is refused. */
export async function answerOf({
  client,
  source,
  resource,
  target,
}: Probed): Promise<
  { readonly headers: HeaderFields; readonly beside: readonly Said[]; readonly status: number } | undefined
> {
  const maxBytes = resource.parent === null ? source.maxListingBytes : CHILD_MAX_BYTES;
  const reply = await client.get(target, { maxBytes, timeoutMs: CHILD_TIMEOUT_MS });
  if (reply.kind !== 'answer') return undefined;
  try {
    const { beside } = createUnderstanding({ source, resource })(reply);
    return { headers: reply.headers, beside, status: reply.status };
  } finally {
    reply.body?.close();
  }
}

function withPaging(source: Source, resource: Resource, paging: string): Source {
  return withSettings(source, resource, { paging });
}

export function withSettings(
  source: Source,
  { name }: Resource,
  settings: { readonly paging?: string; readonly ignore?: readonly string[] },
): Source {
  const own = { columns: {}, drop: [], mask: [], ...source.resources[name] };
  return { ...source, resources: { ...source.resources, [name]: { ...own, ...settings } } };
}

/** The listing as it was called; of children's that of the parent with the most records. */
export async function longestOf(options: {
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
