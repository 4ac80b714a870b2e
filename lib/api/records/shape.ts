import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import { type Envelope, renderEnvelope } from './items-path.ts';
import type { Place } from './place.ts';

/** Where the records of an answer were found. */
export interface Shape {
  readonly envelope: string;
  /** Null where the answer has nothing in place of the records. */
  readonly place: Place | null;
  /** The keys that most records share, by which they are known again. */
  readonly keys?: readonly string[];
}

/** An answer, and what is known of its listing. */
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
  /** What was found earlier, or in the answers to other parents. */
  readonly lock: { readonly envelope: string; readonly keys?: readonly string[] } | undefined;
  /** Whether nobody asks for the dialect of this answer: the keys that the records of a list share are left out. */
  readonly isShown?: boolean | undefined;
}

/** The shape of an answer with its records at this place. */
export function shapeAt(
  place: Omit<Place, 'resource'>,
  { resource, keys, envelope = place }: Pick<EnvelopeOptions, 'resource'> & ShapeMore,
): Shape {
  const named = { ...place, resource: resource.name };
  return { envelope: renderEnvelope(envelope), place: named, ...(keys && { keys }) };
}

interface ShapeMore {
  readonly keys?: readonly string[] | undefined;
  /** Where it is written otherwise than it is read. */
  readonly envelope?: Envelope;
}

/** The shape of an answer without records. */
export function noneAt(envelope: Envelope): Shape {
  return { envelope: renderEnvelope(envelope), place: null };
}
