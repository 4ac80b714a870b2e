import type { Container } from '../body/scan.ts';
import type { Envelope } from './items-path.ts';

/** The records of an answer. */
export interface Place extends Envelope {
  /** Holds the records, or is the one record; of a text that is JSON, whatever holds it. */
  readonly container: Container;
  /** The listing's name, for messages. */
  readonly resource: string;
  /** Of a map: the keys that most records share. */
  readonly keys?: readonly string[];
  /** Of a map that is read as a list: its keys are numbers, or the ids that the records have in this field. */
  readonly listed?: { readonly id?: string };
  /** Of a list that is read as a map: the number of an entry is its key. */
  readonly isNumbered?: boolean;
  /** What stands in the container beside the records, by its name, or by the entry's number and its name. */
  readonly rest?: Readonly<Record<string, unknown>>;
  /** Of rows: the names of their columns. */
  readonly columns?: readonly string[];
  /** Of a text: the JSON that it is. */
  readonly text?: string;
}
