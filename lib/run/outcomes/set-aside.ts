import type { DuckDb } from '../../runtime/duckdb.ts';
import { StatementFailed } from '../../runtime/duckdb-errors.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { quoteLiteral } from '../../sql.ts';
import { RawTooLarge } from '../raw-of-run.ts';

/** A source's listings of one resource. */
export interface ListingsOfSource {
  readonly source: string;
  readonly resource: ResourceName;
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

/** True for what values or their size can bring about, in DuckDB or in code; false for what ails the lake, its disk or its network. */
export function isOfValues(error: unknown): boolean {
  return [StatementFailed, RawTooLarge, TypeError, RangeError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
}

/** Why a source is set aside. */
export function setAsideMessage(error: unknown): string {
  return `Its records could not be worked on (${kindOf(error)}), so the source's rows of this table stay as they were: see the runbook.`;
}

/** The kind of an error, without its message. DuckDB names the kind before the first colon; what follows may quote values. */
export function kindOf(error: unknown): string {
  const [kind = ''] = error instanceof Error ? error.message.split(':') : [];
  if (/^[A-Za-z ]{1,60}$/.test(kind)) return kind;
  return error instanceof Error ? error.name : typeof error;
}
