import { nameOf } from '#lib/api/beside/beside.ts';
import { valueAt } from '#lib/api/beside/page-place.ts';
import { wholeNumberOf } from '#lib/api/beside/said-value.ts';
import { fetchListing } from '#lib/api/listing.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { resourceNamed } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import type { Round } from './answering-paths.ts';
import type { Checked } from './checked.ts';
import { answerOf, longestOf, onePage, type Probed, withSettings } from './probed-listing.ts';
import type { Proposal } from './proposals.ts';

/**
 * The settings `ignore` for members that nobody knows, where the answers show what they are: true beside each listing without
 * parent, one of which comes in pages that add up to its total, so they are about the server; or the number of records that
 * came, beside each of these listings. For children, where another listing of the source ignores them.
 */
export async function probedFlags(round: Round, services: ApiServices): Promise<readonly Proposal[]> {
  const found: Proposal[] = [];
  for (const source of round.config.sources) {
    const listings = round.listings.filter((each) => each.source === source.name);
    const asking = listings.flatMap((listing) => {
      const names = namesAsked(listing);
      return names === undefined ? [] : [{ resource: resourceNamed(listing.resource), names }];
    });
    if (asking.length === 0) continue;
    const client = services.client(source, { width: 1 });
    const place = { client, source, plain: source, calls: round.calls };
    const tops: Probed[] = [];
    for (const { resource } of listings.map((each) => ({ resource: resourceNamed(each.resource) }))) {
      const top = resource.parent === null ? await longestOf({ ...place, resource }) : undefined;
      if (top !== undefined) tops.push(top);
    }
    for (const { resource, names } of asking) {
      const probed = await longestOf({ ...place, resource });
      const isMine = async (one: Probed) => await areTrue(one, names);
      if (probed === undefined) continue;
      const isCount = (await countedBy(probed, names)) !== undefined;
      if (!isCount && !(await isMine(probed))) continue;
      const lasts = isCount ? counting : lasting;
      const why =
        resource.parent === null
          ? await lasts(tops, { names, areTrue: isMine })
          : ignoredElsewhere(source, { names, is: isCount ? 'the number of records' : 'true' });
      const setting = `resources.${resource.name}.ignore`;
      if (why !== undefined)
        found.push({ source: source.name, resource: resource.name, setting, value: [...names], why });
    }
  }
  return found;
}

/** The members that a listing asks about, and nothing else. */
function namesAsked({ asks }: Checked): readonly string[] | undefined {
  const [first] = asks.find(({ code }) => code === 'PAGING_UNPROVEN')?.cures ?? [];
  const [names] = first?.setting.endsWith('.ignore') === true ? first.choices : [];
  return Array.isArray(names) ? names.map(String) : undefined;
}

async function areTrue(probed: Probed, names: readonly string[]): Promise<boolean> {
  const { beside = [] } = (await answerOf(probed)) ?? {};
  return names.every((name) => beside.some((said) => nameOf(said) === name && said.value === true));
}

interface Lasting {
  readonly names: readonly string[];
  readonly areTrue: (probed: Probed) => Promise<boolean>;
}

/** What shows that the members are about the server, as a sentence; undefined where nothing does. */
async function lasting(tops: readonly Probed[], { names, areTrue }: Lasting): Promise<string | undefined> {
  if (tops.length < 2) return undefined;
  for (const top of tops) if (!(await areTrue(top))) return undefined;
  for (const top of tops)
    if (await addsUp(top, names))
      return `${names.join(', ')} is true beside each listing, and the pages of ${top.resource.name} add up to their total`;
  return undefined;
}

/** What shows that each member is the number of records that came: listings of different lengths have it so. */
async function counting(
  tops: readonly Probed[],
  { names }: Pick<Lasting, 'names'>,
): Promise<string | undefined> {
  const counts = new Set<number>();
  for (const top of tops) {
    const count = await countedBy(top, names);
    if (count === undefined) return undefined;
    counts.add(count);
  }
  return counts.size < 2
    ? undefined
    : `${names.join(', ')} is the number of records that came, beside each listing`;
}

/** How many records an answer has, if each of the members says so. */
async function countedBy(probed: Probed, names: readonly string[]): Promise<number | undefined> {
  const { beside = [] } = (await answerOf(probed)) ?? {};
  const { length } = (await onePage(probed, {})).records;
  const isCount = (name: string): boolean =>
    beside.some((said) => nameOf(said) === name && wholeNumberOf(said.value) === length);
  return names.every(isCount) ? length : undefined;
}

/** Whether a listing comes in several pages, and they have as many records as the first of them declares. */
async function addsUp(probed: Probed, names: readonly string[]): Promise<boolean> {
  const { client, source, resource, parentId } = probed;
  const ignore = [...(source.resources[resource.name]?.ignore ?? []), ...names];
  const pages = new Set<number>();
  let records = 0;
  const rows = fetchListing({
    client,
    source: withSettings(source, resource, { ignore }),
    resource,
    parentId,
  });
  for (;;) {
    const next = await rows.next();
    if (next.done !== true) {
      if (next.value.items > 0) pages.add(next.value.page);
      records += next.value.items;
      continue;
    }
    const { outcome, question, dialect } = next.value;
    if (outcome !== 'ok' || question !== undefined || dialect?.total === undefined || pages.size < 2)
      return false;
    const { beside = [] } = (await answerOf(probed)) ?? {};
    return wholeNumberOf(valueAt(beside, dialect.total)) === records;
  }
}

function ignoredElsewhere(
  { resources }: Source,
  { names, is }: { readonly names: readonly string[]; readonly is: string },
): string | undefined {
  const [other] =
    Object.entries(resources).find(([, settings]) =>
      names.every((name) => settings?.ignore?.includes(name)),
    ) ?? [];
  return other === undefined
    ? undefined
    : `${names.join(', ')} is ${is}, as beside ${other}, where it is ignored`;
}
