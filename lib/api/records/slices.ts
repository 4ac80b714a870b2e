import type { Body } from '../body/body.ts';
import { jsonIn } from '../body/json-fault.ts';
import { mayNeedMending, mend } from '../body/mend.ts';
import { countMembers, textOf } from '../body/parse.ts';
import { SLICE_BYTES } from '../body/scan.ts';
import { skipSpace } from '../body/scan-skip.ts';
import { recordTexts } from './record-texts.ts';
import type { Place } from './shape.ts';

/** A piece of a page. The joined bodies of a page's slices are the page's body, byte for byte. */
export interface Slice {
  readonly body: Buffer;
  readonly items: number;
  /** Where the records begin in `body`, in code points; see RawRow. */
  readonly recordsFrom: number | null;
  readonly recordsTo: number | null;
  readonly mended: string | null;
  /** Integers beyond 2^53 are strings of their digits. */
  readonly records: readonly unknown[];
}

/** Whole records, without separators before or after. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly items: number;
  readonly colons: number;
}

/** A piece of a page, and the other part of the body in its slice. */
interface Cutting {
  readonly body: Body;
  readonly place: Place;
  readonly piece: Piece;
  readonly range: { readonly from: number; readonly to: number };
}

const NO_RECORDS = { items: 0, recordsFrom: null, recordsTo: null, mended: null, records: [] };

/** The slices of a page in order; `place` null = no record. Throws CallFault where the body is not JSON. */
export function* cutSlices(body: Body, place: Place | null): Generator<Slice> {
  checkEnvelope(body, place);
  if (place === null || place.container.children === 0 || isRewritten(place)) {
    yield* withoutRecords(body, 0, body.bytes);
    if (place !== null && place.container.children > 0) yield* rewritten(body, place);
    return;
  }
  const pieces = piecesOf(place);
  const begin = pieces[0]?.from ?? 0;
  const end = pieces.at(-1)?.to ?? body.bytes;
  let from = begin > SLICE_BYTES ? begin : 0;
  yield* withoutRecords(body, 0, from);
  const tail = body.bytes - end > SLICE_BYTES ? end : body.bytes;
  for (const [index, piece] of pieces.entries()) {
    const to = index === pieces.length - 1 ? tail : piece.to;
    yield sliceOf({ body, place, piece, range: { from, to } });
    from = to;
  }
  yield* withoutRecords(body, tail, body.bytes);
}

/** The records of a page, slice by slice. */
export function* recordsAt(body: Body, place: Place | null): Generator<readonly unknown[]> {
  for (const { records } of cutSlices(body, place)) yield records;
}

/** True if the records are unreadable where they are: their own slices then follow those of the body. */
function isRewritten({ form, each, container }: Place): boolean {
  const isSame = form === 'record' || (form === 'array' && container.objects === container.children);
  return !isSame || each !== undefined;
}

function* rewritten(body: Body, place: Place): Generator<Slice> {
  for (const text of textsOf(body, place)) {
    for (const chunk of chunksOf(recordTexts(text, place))) {
      const array = `[${chunk.join(',')}]`;
      const records = jsonIn(body, array) as readonly unknown[];
      yield {
        ...NO_RECORDS,
        body: Buffer.alloc(0),
        items: chunk.length,
        mended: mend(array) ?? array,
        records,
      };
    }
  }
}

/** The container in pieces, as a list or map. */
function* textsOf(body: Body, place: Place): Generator<string> {
  const { container } = place;
  for (const { from, to } of piecesOf(place)) {
    const entries = textOf(body.read(from, to)).replace(/^\s*,/, '');
    const text = container.kind === 'object' ? `{${entries}}` : `[${entries}]`;
    jsonIn(body, text);
    yield text;
  }
}

/** Records of about 64 KiB together. */
function* chunksOf(texts: readonly string[]): Generator<readonly string[]> {
  let from = 0;
  let length = 0;
  for (const [index, text] of texts.entries()) {
    if (length + text.length > SLICE_BYTES && index > from) {
      yield texts.slice(from, index);
      from = index;
      length = 0;
    }
    length += text.length;
  }
  if (texts.length > from) yield texts.slice(from);
}

function piecesOf({ form, container: { from, to, first, colons, cuts } }: Place): readonly Piece[] {
  if (form === 'record') return [{ from, to, items: 1, colons }];
  return cuts.map((cut, index) => {
    const before = cuts[index - 1] ?? { at: first, children: 0, colons: 0 };
    const items = cut.children - before.children;
    return { from: before.at, to: cut.at, items, colons: cut.colons - before.colons };
  });
}

function sliceOf({ body, place, piece, range }: Cutting): Slice {
  const bytes = body.read(range.from, range.to);
  const at = piece.from - range.from;
  // A comma follows a cut. If it is missing, the record loses its bracket, and the slice is no JSON.
  const first = piece.from > place.container.first ? skipSpace(bytes, at) + 1 : at;
  const text = textOf(bytes.subarray(first, piece.to - range.from));
  const read = recordsOf(text, { body, place, piece });
  const isBare = place.path.length === 0 && place.container.kind === 'array' && !body.scan.bom;
  if (isBare && range.from === 0 && range.to === body.bytes)
    return { ...NO_RECORDS, body: bytes, items: read.records.length, ...read };
  const recordsFrom = codePoints(textOf(bytes.subarray(0, first)));
  return { body: bytes, items: piece.items, recordsFrom, recordsTo: recordsFrom + codePoints(text), ...read };
}

function recordsOf(
  text: string,
  { body, place, piece }: Omit<Cutting, 'range'>,
): Pick<Slice, 'records' | 'mended'> {
  const array = `[${text}]`;
  const known = place.path.length === 0 && place.form === 'array' ? body.json : undefined;
  const records = (known ?? jsonIn(body, array)) as readonly unknown[];
  const isTwice = countMembers(records) !== piece.colons;
  return { records, mended: isTwice || mayNeedMending(text) ? mend(array) : null };
}

/** Checks that the text around the records is JSON too, in a body that is too large for one parse. */
function checkEnvelope(body: Body, place: Place | null): void {
  const { container: root } = body.scan;
  if (body.json !== undefined || root === null) return;
  const isRecord = place?.form === 'record';
  let [to, from] = [root.to, root.to];
  if (place !== null && place.container.children > 0) {
    const { first, cuts, ...all } = place.container;
    [to, from] = isRecord ? [all.from, all.to] : [first, cuts.at(-1)?.at ?? all.to];
  }
  // The scanner has seen that there is only space before and after the root.
  const [before, behind] = [textOf(body.read(root.from, to)), textOf(body.read(from, root.to))];
  jsonIn(body, `${before}${isRecord && to < from ? 'null' : ''}${behind}`);
}

/** Yields slices of at most 64 KiB without records, cut between characters. */
function* withoutRecords(body: Body, from: number, to: number): Generator<Slice> {
  for (let at = from; at < to; ) {
    let bytes = body.read(at, Math.min(to, at + SLICE_BYTES));
    if (at + bytes.length < to) bytes = bytes.subarray(0, lastBoundary(bytes));
    yield { ...NO_RECORDS, body: bytes };
    at += bytes.length;
  }
}

/** The offset of the last character, which the end may cut. */
function lastBoundary(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** The number of characters as DuckDB counts them: two UTF-16 units beyond U+FFFF are one. */
function codePoints(text: string): number {
  return text.length - (text.match(PAIRS)?.length ?? 0);
}

const PAIRS = /[\ud800-\udbff]/g;
