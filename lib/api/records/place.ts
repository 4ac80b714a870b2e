import type { Container } from '../body/scan.ts';
import type { Envelope } from '../dialect.ts';

/** The records of an answer. */
export interface Place extends Envelope {
  /** Holds the records, or is the one record. */
  readonly container: Container;
}
