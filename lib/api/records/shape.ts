import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import type { Dialect } from '../dialect.ts';
import type { Place } from './place.ts';

export interface Shape {
  readonly envelope: string;
  /** Null where the answer has nothing in place of the records. */
  readonly place: Place | null;
  /** What most entries share, where the records are a map that proves itself. */
  readonly keys?: readonly string[];
}

export interface EnvelopeOptions {
  readonly body: Body;
  readonly resource: Resource;
  /** `resources.NAME.items`. */
  readonly setting: string | undefined;
  /** `items` of the source's other listings, whose answers look alike. */
  readonly others?: readonly string[];
  /** `resources.NAME.id`: it names a field of the entries, so these are the records. */
  readonly id?: string | undefined;
  /** `resources.NAME.ignore`. */
  readonly ignore?: readonly string[];
  /** What was found earlier. */
  readonly lock: Pick<Dialect, 'envelope' | 'keys' | 'beside'> | undefined;
  /** Whether nobody asks for the dialect of this answer: the keys that the records of a list share are left out. */
  readonly isShown?: boolean | undefined;
}
