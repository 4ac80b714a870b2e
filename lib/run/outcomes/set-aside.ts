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

/** The new outcome of listings after their verdict. */
export interface Said {
  readonly outcome?: 'failed' | undefined;
  readonly error_code: string;
  readonly message?: string;
  /** What plan itself saw, with the values that a setting may have. @default nothing */
  readonly says?: string;
  readonly choices?: readonly string[];
}

/** Changes the outcome of the listings that the SQL condition selects in the table `outcomes`. */
export async function sayOfListings(
  db: DuckDb,
  { source, resource }: ListingsOfSource,
  { where, says, choices, ...said }: Said & { readonly where: string },
): Promise<void> {
  // Both are of the code: what an earlier one said of these listings is no more.
  const all = { says: says ?? null, choices: choices ? JSON.stringify(choices) : null, ...said };
  const cells = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${value === null ? 'null' : quoteLiteral(value)}`],
  );
  await db.run(`
    update outcomes
    set ${cells.join(', ')}
    where source = ${quoteLiteral(source)} and resource = ${quoteLiteral(resource)} and ${where}`);
}

/** Marks listings with answers as failed: those in `only`, SQL of their parent_id; without it, all. */
export async function failListings(
  db: DuckDb,
  listings: ListingsOfSource,
  { only, ...said }: Omit<Said, 'outcome'> & { readonly only?: string },
): Promise<void> {
  const isMeant = only === undefined ? 'true' : `coalesce(parent_id, '') in (${only})`;
  await sayOfListings(db, listings, { ...said, outcome: 'failed', where: `outcome = 'ok' and ${isMeant}` });
}

/** True where values or their size caused the error; false where the lake, its disk or its network did. */
export function isOfValues(error: unknown): boolean {
  return [StatementFailed, RawTooLarge, TypeError, RangeError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
}

/** Why a source is set aside. */
export function setAsideMessage(error: unknown): string {
  return `The run failed on the records of this listing (${errorKind(error)}), so the source's rows of this table stay as they were: see the runbook.`;
}

/** The kind of an error without its message, which may quote values. DuckDB ends the kind with a colon. */
export function errorKind(error: unknown): string {
  const [kind = ''] = error instanceof Error ? error.message.split(':') : [];
  if (/^[A-Za-z ]{1,60}$/.test(kind)) return kind;
  return error instanceof Error ? error.name : typeof error;
}
