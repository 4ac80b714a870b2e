import { ExportError } from '../../errors.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { quoteLiteral } from '../../sql.ts';

/** A source's listings of one resource. */
export interface ListingsOfSource {
  readonly source: string;
  readonly resource: ResourceName;
}

/**
 * The wall around a source's records of one resource: what working on them throws ends in their outcomes, the committed
 * rows stay, and the run goes on with all others. What ails the lake itself, such as a full disk, is thrown on.
 */
export async function setAside<Found>(
  db: DuckDb,
  { source, resource }: ListingsOfSource,
  work: () => Promise<Found>,
): Promise<Found | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExportError) throw error;
    await failListings(db, { source, resource }, { code: 'SOURCE_SET_ASIDE', message: messageOf(error) });
    return undefined;
  }
}

/** Calls listings failed whose answers came: those in `only`, SQL of their parent_id; without it, all. */
export async function failListings(
  db: DuckDb,
  { source, resource }: ListingsOfSource,
  { code, message, only }: { readonly code: string; readonly message: string; readonly only?: string },
): Promise<void> {
  await db.run(`
    update outcomes
    set outcome = 'failed', error_code = ${quoteLiteral(code)}, message = ${quoteLiteral(message)}
    where source = ${quoteLiteral(source)}
      and resource = ${quoteLiteral(resource)}
      and outcome = 'ok'
      and ${only === undefined ? 'true' : `coalesce(parent_id, '') in (${only})`}`);
}

/** DuckDB names the kind of its error before the first colon; what follows may quote values. */
function messageOf(error: unknown): string {
  const [kind = ''] = error instanceof Error ? error.message.split(':') : [];
  const what = /^[A-Za-z ]{1,60}$/.test(kind) ? kind : error instanceof Error ? error.name : typeof error;
  return `Its records could not be worked on (${what}), so the source's rows of this table stay as they were: see the runbook.`;
}
