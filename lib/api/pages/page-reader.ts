import type { RawRow } from '../../lake/raw/raw.ts';
import type { Target } from '../../sources/resources.ts';
import type { ListingError } from '../listing-error.ts';
import type { Fact } from '../read/facts.ts';
import type { Signals } from '../read/said.ts';

/** An answer with records, or with none, that was understood. */
export interface Page {
  readonly kind: 'page';
  readonly target: Target;
  readonly signals: Signals;
  readonly facts: readonly Fact[];
  /** Where its records are; null where it has no place for them. */
  readonly envelope: string | null;
  /** The same, or where they are known to be. */
  readonly usualEnvelope: string;
  /** Its records, slice by slice. May be read again. */
  readonly records: () => Iterable<readonly unknown[]>;
  /** Its raw rows, which makes it the listing's next page. */
  readonly rows: (look: (records: readonly unknown[]) => void) => Generator<RawRow>;
  readonly close: () => void;
}

/** A call that was refused, or an answer that cannot be understood. */
export interface NoPage {
  readonly kind: 'none';
  readonly target: Target;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Ends the listing with what the call brought, or with the error that it means. */
  readonly fail: (means?: ListingError) => Promise<never>;
}

/** Asks for the pages of one listing. */
export interface PageReader {
  readonly ask: (target: Target) => Promise<Page | NoPage>;
  /** The rows of calls that gave no page, since they were taken last. */
  readonly calls: () => readonly RawRow[];
}
