import type { Resource } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import type { Body } from './body/body.ts';
import { CallFault } from './call-fault.ts';
import { ListingError } from './codes.ts';
import type { HeaderFields } from './headers.ts';
import { CHILD_RECORD_BYTES, LISTING_RECORD_BYTES, RECORD_VALUES } from './limits.ts';
import { type Fact, factsOf, isIgnored } from './read/facts.ts';
import { failureAmong } from './read/failure.ts';
import { findRecords } from './records/envelope.ts';
import type { EnvelopeOptions, Shape } from './records/shape.ts';

/** An answer with the place of its records, and the facts next to them. */
export interface PageAnswer {
  /** The place of the records, or the error if they cannot be found. */
  readonly shape: Shape | ListingError;
  readonly facts: readonly Fact[];
  /** The fact that shows that the call failed. */
  readonly failure: Fact | undefined;
  /** The body; one reading is at most as large as a record may be. */
  readonly body: Body | null;
}

interface Answered {
  readonly headers: HeaderFields;
  readonly body: Body | null;
}

export interface PageAnswerOptions {
  readonly source: Source;
  readonly resource: Resource;
  /** The earlier place of the records, or the one in other parents' answers. */
  readonly known?: EnvelopeOptions['lock'];
  /** Where it is there, nobody needs the contract of these answers. */
  readonly shown?: EnvelopeOptions['shown'];
}

/** Understands the answers of a listing. */
export function createPageAnswers({ source, resource, known, shown }: PageAnswerOptions) {
  const { items: setting, id, ignore = [] } = source.resources[resource.name] ?? {};
  const recordBytes = resource.parent === null ? LISTING_RECORD_BYTES : CHILD_RECORD_BYTES;
  /** The first page's map: a last page with one entry proves none by itself. */
  let map: Shape | undefined;

  /** Without a body (204) a parent is empty, and another listing fails. */
  function shapeOf(body: Body | null): Shape | ListingError {
    try {
      if (body === null && resource.parent !== null) return { envelope: known?.envelope ?? '$', place: null };
      if (body === null)
        return new ListingError('BODY_EMPTY', 'The answer to a listing has no body', {
          resource: resource.name,
        });
      const lock = known ?? (map && { envelope: map.envelope, ...(map.keys && { keys: map.keys }) });
      return findRecords({ body, resource, setting, id, ignore, shown, lock });
    } catch (error) {
      if (error instanceof ListingError) return error;
      throw error;
    }
  }

  return ({ headers, body: whole }: Answered): PageAnswer => {
    const body = whole && inPieces(whole, recordBytes);
    const shape = shapeOf(body);
    const place = shape instanceof ListingError ? null : shape.place;
    if (!(shape instanceof ListingError) && place?.form === 'map') map ??= shape;
    // The members of a record are its own, so only the first level may show an error.
    const isRecord = place?.form === 'record' && place.path.length === 0;
    const facts = factsOf({ headers, body, place: isRecord ? null : place });
    const mayFail = isRecord ? facts.filter(({ path }) => path.length === 1) : facts;
    const failure = failureAmong(mayFail.filter((fact) => !isIgnored(fact, ignore)));
    return { shape, facts: isRecord ? facts.filter(({ isHeader }) => isHeader) : facts, failure, body };
  };
}

/**
 * A body that reads at most `maxBytes` at once. This bounds the memory of one record, and of the text around
 * the records. `read` throws CallFault RECORD_TOO_LARGE.
 */
export function inPieces(body: Body, maxBytes: number): Body {
  return {
    ...body,
    read: (from, to) => {
      if (to - from > maxBytes) throw tooLarge(`is larger than ${maxBytes} bytes`);
      const bytes = body.read(from, to);
      if (bytes.length > CHILD_RECORD_BYTES && commasIn(bytes) >= RECORD_VALUES)
        throw tooLarge(`has more than ${RECORD_VALUES} values`);
      return bytes;
    },
  };
}

function tooLarge(why: string): CallFault {
  return new CallFault('RECORD_TOO_LARGE', `one record, or the text around the records, ${why}`);
}

/** A comma is between any two values; those in texts count too. */
function commasIn(bytes: Buffer): number {
  let commas = 0;
  for (const byte of bytes) if (byte === COMMA) commas += 1;
  return commas;
}

const COMMA = 0x2c;
