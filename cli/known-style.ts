import { pageFacts } from '#lib/api/beside/page-facts.ts';
import { valueAt } from '#lib/api/beside/page-place.ts';
import { pathOf } from '#lib/api/paging/page-target.ts';
import { type PagingStyle, parsePaging } from '#lib/config/paging-style.ts';
import { resourceNamed } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { answerOf, givesMore, isReadBy, onePage, type Probed, shownStyle } from './probed-listing.ts';

/** A setting `paging`, and what was seen of it. */
export interface KnownStyle {
  readonly value: string;
  readonly why: string;
}

/**
 * The style of another listing of the source, if this listing is asked for in the same way. First each style is tried: one
 * that gives further records is the style. Else the listing itself may show that it has one. Undefined where neither holds.
 */
export async function knownStyle(probed: Probed): Promise<KnownStyle | undefined> {
  const known = stylesOf(probed.source);
  if (known.length === 0) return undefined;
  const { name } = probed.resource;
  const { records: first } = await onePage(probed, {});
  for (const { value } of known)
    if (await givesMore(probed, { style: value, first }))
      return { value, why: `there are further ${name}, which are asked for in this way` };
  // Few parents are looked at: another one's children may have further pages.
  const [own] = (await shownStyle(probed)).map(parsePaging);
  for (const { value, style, of } of known) {
    const isShown =
      isNumbered(style) && !isFollowed(own)
        ? !(isNumbered(own) && (await isRead(probed, own))) && (await isRead(probed, style))
        : isFollowed(style) && !isNumbered(own) && (await hasLeadOf(probed, { style, of }));
    if (isShown && (await isReadBy(probed, value)))
      return { value, why: `${of} are asked for in this way, and ${name} answer to it` };
  }
  return undefined;
}

interface Known {
  readonly value: string;
  readonly style: PagingStyle;
  /** The listing whose setting it is. */
  readonly of: string;
}

/** The styles that the config has for other listings of the source. */
function stylesOf({ resources }: Source): readonly Known[] {
  const known = Object.entries(resources).flatMap(([of, { paging: value = 'none' } = {}]) => {
    const style = parsePaging(value);
    return style === null || style.name === 'none' ? [] : [{ value, style, of }];
  });
  return known.filter(({ value }, index) => known.findIndex((each) => each.value === value) === index);
}

type MayBe = PagingStyle | null | undefined;

function isNumbered(style: MayBe): style is PagingStyle {
  return style?.name === 'page' || style?.name === 'offset';
}

function isFollowed(style: MayBe): style is PagingStyle {
  return style?.name === 'cursor' || style?.name === 'next';
}

/**
 * Whether the server reads the parameter of a style that counts. With the offset 1 its answer begins with the second record.
 * With a page behind the last one it has no record, although it has all of them under a parameter of another name.
 */
async function isRead(probed: Probed, { name, param }: PagingStyle): Promise<boolean> {
  const { records: first, dialect } = await onePage(probed, {});
  if (first.length === 0) return false;
  const form = dialect === null ? {} : { form: dialect };
  if (name === 'offset' && first.length > 1) {
    const { records } = await onePage(probed, { [param]: '1' }, form);
    if (records.length > 0) return records[0] === first[1];
  }
  const beyond = name === 'offset' ? String(first.length) : '2';
  const behind = await onePage(probed, { [param]: beyond }, form);
  if (behind.records.length > 0) return false;
  const other = await onePage(probed, { [`${param}_unread`]: beyond }, form);
  return other.records[0] === first[0] || (behind.outcome === 'empty' && other.outcome === 'failed');
}

/** Whether the answer has the member that leads to the next page in the other listing, the one whose style this is. It may be null here. */
async function hasLeadOf(
  probed: Probed,
  { style, of }: { readonly style: PagingStyle; readonly of: string },
): Promise<boolean> {
  const lead = style.place ?? (await leadIn({ ...probed, ...placeOf(probed.source, of) }));
  const beside = lead === undefined ? [] : ((await answerOf(probed))?.beside ?? []);
  return lead !== undefined && valueAt(beside, lead) !== undefined;
}

/** A listing without parent, as it is asked for. */
function placeOf(source: Source, name: string): Pick<Probed, 'resource' | 'parentId' | 'target'> {
  const resource = resourceNamed(name as Parameters<typeof resourceNamed>[0]);
  return { resource, parentId: null, target: resource.target(source, '') };
}

async function leadIn(probed: Probed): Promise<string | undefined> {
  if (probed.resource.parent !== null) return undefined;
  const answer = await answerOf(probed);
  if (answer === undefined) return undefined;
  const ignore = probed.source.resources[probed.resource.name]?.ignore ?? [];
  const { token, nextUrl } = pageFacts({
    ...answer,
    ignore,
    target: pathOf(probed.target),
    follow: null,
    isChild: false,
    form: '',
  });
  return (token ?? nextUrl)?.name;
}
