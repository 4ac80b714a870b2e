import type { Container } from '../body/scan.ts';
import type { Envelope } from './items-path.ts';

/** The records of an answer. */
export interface Place extends Envelope {
  /** Holds the records, or is the one record; for a JSON text it is the container of the text. */
  readonly container: Container;
  /** The listing's name, for messages. */
  readonly resource: string;
  /** For a map: the keys that most records share. */
  readonly keys?: readonly string[];
  /** For a map that is read as a list: its keys are numbers, or the ids in this field of the records. */
  readonly listed?: { readonly id?: string };
  /** For a list that is read as a map: the number of an entry is its key. */
  readonly isNumbered?: boolean;
  /** Other content of the container by name, or by the entry's number and the name. */
  readonly rest?: Readonly<Record<string, unknown>>;
  /** For rows: the names of their columns. */
  readonly columns?: readonly string[];
  /** For a text: its JSON. */
  readonly text?: string;
}
