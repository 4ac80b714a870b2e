import * as z from 'zod';
import { sayOfListings } from '../../run/outcomes/set-aside.ts';
import type { Sampled, Trait } from '../../schema/columns/sampled.ts';
import { childrenOf, type ResourceName, resourceNamed } from '../../sources/resources.ts';
import type { SourceObserved } from '../observe-sources.ts';
import type { Planning } from '../planning.ts';
import { MANY, NEARLY_ALL, pairsOf } from './compared.ts';
import { SAMPLED_RECORDS } from './sample-records.ts';
import { foldedHash, formIn } from './value-traits.ts';

/** One column of texts may get new ones in all records, such as a link with a date. */
const COLUMNS = 2;

/**
 * Fails a source's listing, and those of its children, if it lacks most of the records of the run before.
 * Then another server has answered, and its records would count as removed and added. Returns the others.
 */
export async function holdOtherRecords(
  observed: readonly SourceObserved[],
  { db, base, record }: Planning,
): Promise<readonly SourceObserved[]> {
  const held: { readonly source: string; readonly resource: ResourceName }[] = [];
  for (const { source, resource, sampled, key } of observed) {
    const { parent, isQueue } = resourceNamed(resource);
    if (parent !== null || isQueue || record.acceptShrink.includes(source)) continue;
    const { samples, keys } = base.schema.tables[resource] ?? {};
    // With another key the same records have other ids.
    const isComparable = JSON.stringify(keys?.[source]) === JSON.stringify(key);
    const says = isComparable ? otherRecords(samples?.[source], sampled) : undefined;
    if (says === undefined) continue;
    const message = `${says}: held back until a run with --accept-shrink ${source}. Look whether baseUrl and the key are those of this source.`;
    for (const each of [resource, ...childrenOf(resource).map(({ name }) => name)]) {
      held.push({ source, resource: each });
      const said = { outcome: 'failed', error_code: 'LISTING_SHRANK', message } as const;
      const where = `outcome in ('ok', 'empty', 'gone')`;
      await sayOfListings(db, { source, resource: each }, { ...said, where });
    }
  }
  return observed.filter((each) =>
    held.every(({ source, resource }) => source !== each.source || resource !== each.resource),
  );
}

/** What shows that the records of two runs are not the same ones, if they are not. */
function otherRecords(before: Sampled | undefined, now: Sampled | undefined): string | undefined {
  if (before === undefined || now === undefined) return undefined;
  const kept = before.ids.filter((id) => now.ids.includes(id));
  if (before.areFirst !== true && now.areFirst !== true) {
    // A full sample has the lowest hashes alone: a known record with a higher one may be there, too.
    const last = now.ids.length < SAMPLED_RECORDS ? undefined : now.ids.at(-1);
    const comparable = before.ids.filter((id) => last === undefined || id <= last);
    if (comparable.length >= MANY && 2 * kept.length < comparable.length)
      return `Of ${comparable.length} known records that were compared, the listing has ${kept.length}`;
  }
  if (kept.length < MANY) return undefined;
  const texts = Object.keys(before.traits).flatMap((text) => {
    const path = z.array(z.string()).parse(JSON.parse(text));
    const own = pairsOf(path, { before, now }).filter(({ was, is }) => isOwnText(was) && isOwnText(is));
    const others = own.filter(({ was, is }) => foldedHash(was) !== foldedHash(is)).length;
    return own.length >= NEARLY_ALL * kept.length
      ? [{ name: path.join('.'), areOther: others >= NEARLY_ALL * own.length }]
      : [];
  });
  if (texts.length < COLUMNS || texts.some(({ areOther }) => !areOther)) return undefined;
  return `Of ${kept.length} known records that were compared, nearly all have another text in each of ${texts.map(({ name }) => name).join(', ')}`;
}

/** A longer text may be a link or a token, which changes each day. */
const LONGEST = 32;

/** True for a short text that few records share. */
const isOwnText = (trait: Trait): boolean =>
  foldedHash(trait) !== undefined && (formIn(trait)?.length ?? 0) < LONGEST;
