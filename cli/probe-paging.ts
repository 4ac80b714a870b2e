import { AFTER_LAST, CURSORS, OFFSETS, PAGES, paramsOf } from '#lib/api/paging/usual-params.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { candidateNames } from '#lib/schema/record-key.ts';
import { type Resource, resourceNamed } from '#lib/sources/resources.ts';
import type { Round } from './answering-paths.ts';
import type { Checked } from './checked.ts';
import { type KnownStyle, knownStyle } from './known-style.ts';
import {
  givesMore,
  isReadBy,
  longestOf,
  onePage,
  type Probed,
  shownStyle,
  withSettings,
} from './probed-listing.ts';
import type { Proposal } from './proposals.ts';

/** What a listing asks where there may be further pages, and nobody knows how to ask for them. */
const ASKED_FOR: ReadonlySet<string> = new Set([
  'CAP_SUSPECTED',
  'PAGING_UNPROVEN',
  'PAGING_LOOP',
  'PAGING_OTHER_ORIGIN',
]);

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
    const isPagedElsewhere = Object.values(source.resources).some(({ paging }) => paging !== undefined);
    if (!isOpen && (resource.parent === null || !isPagedElsewhere)) continue;
    const client = services.client(source, { width: 1 });
    const plain = cut === undefined ? source : withSettings(source, resource, { ignore: [cut] });
    const probed = await longestOf({ client, source, plain, resource, calls: round.calls });
    if (probed === undefined) continue;
    const style =
      (await knownStyle(probed)) ?? (isOpen ? await newStyle(probed, { listing, cut }) : undefined);
    const setting = `resources.${resource.name}.paging`;
    if (style !== undefined) found.push({ source: source.name, resource: resource.name, setting, ...style });
  }
  return found;
}

/** A style that no other listing of the source has. */
async function newStyle(
  probed: Probed,
  { listing, cut }: { readonly listing: Checked; readonly cut: string | undefined },
): Promise<KnownStyle | undefined> {
  const shown = await shownStyle(probed);
  const read = cut === undefined ? undefined : await firstReading(probed, shown);
  const value = read ?? (await styleOf(probed, offeredBy(listing, shown)));
  const why = `there are further ${probed.resource.name}, which are asked for in this way`;
  return value === undefined ? undefined : { value, why };
}

/** The member that says that an answer is not whole, of which nobody knows whether it speaks of pages or of a failure. */
function cutMember({ asks }: Checked): string | undefined {
  const failed = asks.find(({ code }) => code === 'API_ERROR')?.cures ?? [];
  if (!failed.some(({ setting }) => setting.endsWith('.paging'))) return undefined;
  const [names] = failed.flatMap(({ setting, choices }) => (setting.endsWith('.ignore') ? choices : []));
  return Array.isArray(names) ? String(names[0]) : undefined;
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
  const params = [...new Set([...CURSORS, ...OFFSETS, ...PAGES])];
  const usual = [...places].flatMap((place) => params.map((param) => `cursor:${param}${place}`));
  return [...new Set([...offered, ...named, ...usual])];
}

/** The first style that gives more; undefined where none does. */
async function styleOf(probed: Probed, offered: readonly string[]): Promise<string | undefined> {
  const { records: first, dialect } = await onePage(probed, {});
  if (first.length === 0) return undefined;
  const form = dialect === null ? {} : { form: dialect };
  for (const style of [...offered, ...lastStyles(first, probed.resource)])
    if (await givesMore(probed, { style, first })) return style;
  // Pages that are counted from 0 may have no page 2.
  const numbered = [
    // A page that is asked for by its number may have more records than the first one without.
    ...PAGES.map((param) => ({ styles: [`page:${param}`, `page:${param}=1`], param, values: ['2', '1'] })),
    ...OFFSETS.map((param) => ({ styles: [`offset:${param}`], param, values: [String(first.length)] })),
  ];
  for (const { styles, param, values } of numbered) {
    let page: readonly string[] = [];
    for (const value of values)
      if (page.length === 0) page = (await onePage(probed, { [param]: value }, form)).records;
    if (page.length === 0 || page[0] === first[0]) continue;
    for (const style of styles) if (await givesMore(probed, { style, first })) return style;
  }
  return undefined;
}

/** The styles that ask for what comes after the last record, by the fields that may be its id. */
function lastStyles([first = '{}']: readonly string[], resource: Resource): readonly string[] {
  const candidates = new Set(candidateNames(resource).map((name) => name.toLowerCase()));
  const ids = Object.keys(Object(JSON.parse(first))).filter((name) => candidates.has(name.toLowerCase()));
  return ids.flatMap((id) => AFTER_LAST.map((param) => `cursor:${param}@last:${id}`));
}

async function firstReading(probed: Probed, styles: readonly string[]): Promise<string | undefined> {
  for (const style of styles) if (await isReadBy(probed, style)) return style;
  return undefined;
}
