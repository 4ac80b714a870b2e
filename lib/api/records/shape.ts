import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import type { Container } from '../body/scan.ts';
import type { Contract } from '../contract/contract.ts';
import { type Envelope, renderEnvelope } from './items-path.ts';

/** The records of an answer. */
export interface Place extends Envelope {
  /** Holds the records, or is the one record. */
  readonly container: Container;
  /** The listing's name, for messages. */
  readonly resource: string;
  /** True for a map that is read as a list, because its keys are numbers. */
  readonly isListed?: boolean;
  /** For rows: the names of their columns. */
  readonly columns?: readonly string[];
}

/** The place of the records of an answer. */
export interface Shape {
  readonly envelope: string;
  /** Null where the answer has nothing in place of the records. */
  readonly place: Place | null;
  /** The keys that most records share; by them they are recognized. */
  readonly keys?: readonly string[];
}

/** An answer, and what is known of its listing. */
export interface EnvelopeOptions {
  readonly body: Body;
  readonly resource: Resource;
  /** `resources.NAME.items`. */
  readonly setting: string | undefined;
  /** `resources.NAME.id`: it names a field of the entries, so these are the records. */
  readonly id?: string | undefined;
  /** `resources.NAME.ignore`. */
  readonly ignore?: readonly string[];
  /** The earlier finding, or that in the answers to other parents. */
  readonly lock: Pick<Contract, 'envelope' | 'keys' | 'alongside'> | undefined;
  /** What other answers of the run show. So nobody needs the shared keys of a list. */
  readonly shown?: (() => { readonly keys?: readonly string[] } | undefined) | undefined;
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
  /** Where it is written differently than it is read. */
  readonly envelope?: Envelope;
}

/** The shape of an answer without records. */
export function noneAt(envelope: Envelope): Shape {
  return { envelope: renderEnvelope(envelope), place: null };
}
