import type { Resource } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { besideOf, isIgnored, nameOf, type Said } from './beside/beside.ts';
import { isCut } from './beside/page-roles.ts';
import { wordsOf } from './beside/words.ts';
import type { Body } from './body/body.ts';
import { inPieces } from './body/in-pieces.ts';
import type { Dialect } from './dialect.ts';
import { type HeaderFields, headerOf } from './headers.ts';
import { CHILD_RECORD_BYTES, LISTING_RECORD_BYTES } from './limits.ts';
import { ListingError } from './listing-error.ts';
import { findRecords } from './records/envelope.ts';
import { faultAmong } from './records/error-in-body.ts';
import type { Shape } from './records/shape.ts';

/** An answer with the place of its records, and the members beside them. */
export interface Understood {
  /** The place of the records, or the error if they cannot be found. */
  readonly shape: Shape | ListingError;
  readonly beside: readonly Said[];
  /** The member or header by which it tells that the call failed, or that the answer is not whole. */
  readonly fault: Said | null;
  /** The body, of which no more is read at once than a record may have. */
  readonly body: Body | null;
}

/** An answer; without a body, its headers may tell a failure all the same. */
interface Looked {
  readonly headers: HeaderFields;
  readonly body: Body | null;
}

export interface Understanding {
  readonly source: Source;
  readonly resource: Resource;
  readonly lock?: Dialect;
  /** Whether nobody asks for the dialect of these answers. */
  readonly isShown?: boolean;
}

/**
 * Reads the answers of a listing: each is asked about twice, for the failure that it tells and for its records, and looked
 * at once. Throws all errors but ListingError.
 */
export function createUnderstanding({ source, resource, lock, isShown }: Understanding) {
  const { items: setting, id, ignore = [], paging } = source.resources[resource.name] ?? {};
  const others = Object.values(source.resources).flatMap((each) => each?.items ?? []);
  const recordBytes = resource.parent === null ? LISTING_RECORD_BYTES : CHILD_RECORD_BYTES;
  /** An answer that was asked about once. Behind the second time it is let go, with the records that it has parsed. */
  let looked: { readonly at: Body; readonly understood: Understood } | null = null;
  const isLines = hasLines({ source, resource });
  /** The first page's: a last page may have one entry, which proves no map by itself. */
  let map: Shape | undefined;

  /** True if the config says that there are pages: an answer that says that it is not whole may then just have further ones. */
  const isPaged = paging !== undefined && paging.trim() !== 'none';
  const saysPages = (said: Said): boolean =>
    isPaged &&
    isCut(wordsOf(said.path.at(-1) ?? '')) &&
    (lock === undefined || (lock.beside ?? []).includes(nameOf(said)));

  /**
   * Without a body (204, or no line of a listing that has an object a line), a parent has no records, and a listing of
   * lines has none. For another listing without parent, it is no answer: throws BODY_EMPTY.
   */
  function withoutBody(): Shape {
    if (isLines) return { envelope: LINES, place: null };
    if (resource.parent !== null) return { envelope: lock?.envelope ?? '$', place: null };
    throw new ListingError('BODY_EMPTY', 'The answer to a listing has no body', { resource: resource.name });
  }

  function look({ headers, body }: Looked): Understood {
    const shape = shapeOrError(() =>
      body === null
        ? withoutBody()
        : findRecords({ body, resource, setting, others, id, ignore, isShown, lock: lock ?? map }),
    );
    if (!(shape instanceof ListingError) && shape.place?.form === 'map') map ??= shape;
    const place = shape instanceof ListingError ? null : shape.place;
    // One line alone is a record among others, and its headers are those of a page.
    const isLine = isLines && body !== null;
    const isRoot = place?.form === 'record' && !isLine && place.path.length === 0;
    const beside = besideOf({ headers, body: isLine ? null : body, place: isRoot ? null : place });
    // The values of a record are not about paging, but its first level may tell an error.
    const mayFail = isRoot ? beside.filter(({ path }) => path.length === 1) : beside;
    const warning = headerOf(headers, 'warning');
    const warned =
      warning === undefined ? [] : [{ path: ['Warning'], isHeader: true, value: warning, isAside: false }];
    const fault = faultAmong(
      [...mayFail, ...warned].filter((said) => !isIgnored(said, ignore) && !saysPages(said)),
    );
    // The members of a record are its own; its headers are those of any answer, for there may be a list tomorrow.
    return { shape, beside: isRoot ? beside.filter(({ isHeader }) => isHeader) : beside, fault, body };
  }

  return ({ headers, body }: Looked): Understood => {
    if (looked !== null && looked.at === body) {
      const { understood } = looked;
      looked = null;
      return understood;
    }
    const understood = look({ headers, body: body && inPieces(body, recordBytes) });
    looked = body && { at: body, understood };
    return understood;
  };
}

const LINES = '$lines';

/** True if the config says that each line of the listing is a record. */
export function hasLines({ source, resource }: Pick<Understanding, 'source' | 'resource'>): boolean {
  return source.resources[resource.name]?.items?.trim() === LINES;
}

function shapeOrError(find: () => Shape): Shape | ListingError {
  try {
    return find();
  } catch (error) {
    if (error instanceof ListingError) return error;
    throw error;
  }
}
