import { statSync } from 'node:fs';
import type { ListingsOfSource } from '../../run/outcomes/set-aside.ts';
import { NOT_COLLECTED, SOURCE_SLOW } from '../../run/outcomes/verdicts.ts';
import { childrenOf, topLevelResources } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import { isIn, ofType, quoteLiteral, readJsonFiles, rowsSql } from '../../sql.ts';
import { toTheSecond } from '../../time.ts';
import type { IdFault } from './id-fault.ts';

/** A listing of parents without a usable id, so that the run cannot request some or all children. */
export interface UnaskedParents extends IdFault, ListingsOfSource {}

/** What says which answers a run must have. */
export interface Promises {
  readonly sources: readonly Source[];
  /** Paths of the batches of the first pass, which hold what the listings promised. */
  readonly promises: readonly string[];
  /** Paths of the batches without anything in raw. */
  readonly lost: readonly string[];
  /** By source: the time before which its server wants no call, where the run ends earlier. */
  readonly closed: ReadonlyMap<string, Date>;
  /** The sources that the run had no time to ask completely. */
  readonly late: readonly string[];
  readonly withoutId: readonly UnaskedParents[];
}

/** A listing with an answer that list did not store. */
const LISTING_LOST =
  'Every try of list ended before it stored the answer: it was killed, or ran out of memory or time. The log of list says which.';
/** An item in a batch that collect did not store. */
const BATCH_LOST =
  'Every try of collect ended before it stored the answers: it was killed, or ran out of memory or time. The log of collect says which.';

/** An item that the run had no time for. */
const TOO_SLOW = 'The source did not answer all in time. The next run begins with what has waited longest.';

const PROMISED = ofType('varchar', 'source', 'resource', 'parent_id', 'code', 'message', 'says', 'choices');

/** SQL of what the listings promised. Without ids, one row for each child resource replaces the children's rows. */
export function promisedSql({ sources, promises, lost, withoutId, closed, late }: Promises): string {
  const listings = sources.flatMap(({ name: source, kind }) =>
    topLevelResources(kind).map(({ name: resource }) => ({
      source,
      resource,
      code: NOT_COLLECTED,
      message: LISTING_LOST,
    })),
  );
  const unasked = withoutId.flatMap(({ choices, ...fault }) =>
    childrenOf(fault.resource).map(({ name: resource }) => ({
      ...fault,
      resource,
      choices: choices.length === 0 ? null : JSON.stringify(choices),
    })),
  );
  const rows = rowsSql(PROMISED, [...listings, ...unasked]);
  if (promises.length === 0) return rows;
  const waits = [...closed].map(
    ([source, until]) =>
      `when source = ${quoteLiteral(source)} then 'The server asked to wait until ${toTheSecond(until)}, and the run waits no longer for one source. After that time, repair requests it.'`,
  );
  const isLate = isIn('source', late);
  const isLost = lost.length === 0 ? 'false' : `(source, resource, parent_id) in (${itemsSql(lost)})`;
  return `
    ${rows}
    union all by name
    select
      source, resource, parent_id,
      case
        when ${isLost} or not ${isLate} then ${quoteLiteral(NOT_COLLECTED)}
        else ${quoteLiteral(SOURCE_SLOW)}
      end as code,
      case
        when ${isLost} then ${quoteLiteral(BATCH_LOST)}
        ${waits.join(' ')}
        when ${isLate} then ${quoteLiteral(TOO_SLOW)}
        else 'The run ended before it was requested.'
      end as message
    from (${itemsSql(promises)})`;
}

/** The source of a batch, read from the file's path. */
const SOURCE = `regexp_extract(filename, '/([^/]+)/pass-\\d+/batch-\\d+\\.json$', 1)`;

/** SQL of the items of batches. */
function itemsSql(paths: readonly string[]): string {
  const largest = paths.reduce((most, path) => Math.max(most, statSync(path).size), 0);
  return `
      select source, entry.resource as resource, unnest(entry.parents) as parent_id
      from (
        select ${SOURCE} as source, unnest(groups) as entry
        from ${readJsonFiles(paths, { columns: "{groups: 'struct(resource varchar, parents varchar[])[]'}", largest })}
      )`;
}
