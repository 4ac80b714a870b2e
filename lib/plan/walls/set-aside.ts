import {
  failListings,
  isOfValues,
  type ListingsOfSource,
  setAsideMessage,
} from '../../run/outcomes/set-aside.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';

/**
 * The wall around a source's records of one resource: what working on them throws ends in their outcomes, the committed
 * rows stay, and the run goes on with all others. What ails the lake itself, such as a full disk, is thrown on.
 */
export async function setAside(
  db: DuckDb,
  { source, resource }: ListingsOfSource,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOfValues(error)) throw error;
    await failListings(
      db,
      { source, resource },
      { code: 'SOURCE_SET_ASIDE', message: setAsideMessage(error) },
    );
  }
}
