import type { Body } from '../body/body.ts';
import { mayNeedMending, mend } from '../body/mend.ts';
import { countMembers, parseExact } from '../body/parse.ts';
import { type Container, SLICE_BYTES } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';
import { CallFault } from '../call-fault.ts';
import type { Place } from './place.ts';
import { recordTexts } from './record-texts.ts';

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

/** The text around the records is parsed in one piece. */
const MAX_ENVELOPE_BYTES = 16 * 1024 * 1024;

/** Whole records, without separators before or after. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly items: number;
  readonly colons: number;
}

/** The slices of a page in order; `place` null = no record. Throws CallFault where the body is no JSON after all. */
export function* cutSlices(body: Body, place: Place | null): Generator<Slice> {
  checkEnvelope(body, place);
  if (place === null || place.container.children === 0) {
    yield* withoutRecords(body, 0, body.bytes);
    return;
  }
  if (isRewritten(place)) {
    yield* withoutRecords(body, 0, body.bytes);
    yield* rewritten(body, place);
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

/** Whether the records cannot be read where they stand: their slices have the records alone, behind those of the body. */
function isRewritten({ form, each, container }: Place): boolean {
  const hasNulls = form === 'array' && container.objects !== container.children;
  return each !== undefined || form === 'rows' || form === 'lines' || form === 'text' || hasNulls;
}

function* rewritten(body: Body, place: Place): Generator<Slice> {
  const isHeaded = place.form === 'rows' && place.names?.length === 0;
  let isFirst = true;
  for (const text of textsOf(body, place)) {
    const texts = recordTexts(text, place);
    for (const records of chunksOf(isFirst && isHeaded ? texts.slice(1) : texts)) {
      const array = `[${records.join(',')}]`;
      yield {
        body: Buffer.alloc(0),
        items: records.length,
        recordsFrom: null,
        recordsTo: null,
        mended: mend(array) ?? array,
        records: parsed(array) as readonly unknown[],
      };
    }
    isFirst = false;
  }
}

/** The records' container in pieces, each a list or a map by itself. */
function* textsOf(body: Body, place: Place): Generator<string> {
  if (place.text !== undefined) {
    yield place.text;
    return;
  }
  for (const { from, to } of piecesOf({ ...place, form: 'array' })) {
    const text = textOf(body.read(from, to)).replace(/^\s*,/, '');
    const whole = place.container.kind === 'object' ? `{${text}}` : `[${text}]`;
    if (place.form !== 'lines') parsed(whole);
    yield whole;
  }
}

/** Records of together about 64 KiB. */
function* chunksOf(texts: readonly string[]): Generator<readonly string[]> {
  let chunk: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (length + text.length > SLICE_BYTES && chunk.length > 0) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(text);
    length += text.length;
  }
  if (chunk.length > 0) yield chunk;
}

function piecesOf({ form, container }: Place): readonly Piece[] {
  if (form === 'record')
    return [{ from: container.from, to: container.to, items: 1, colons: container.colons }];
  let before = { at: container.first, children: 0, colons: 0 };
  return container.cuts.map((cut) => {
    const piece = {
      from: before.at,
      to: cut.at,
      items: cut.children - before.children,
      colons: cut.colons - before.colons,
    };
    before = cut;
    return piece;
  });
}

function sliceOf({
  body,
  place,
  piece,
  range,
}: {
  body: Body;
  place: Place;
  piece: Piece;
  range: { from: number; to: number };
}): Slice {
  const bytes = body.read(range.from, range.to);
  const first = firstRecord(bytes, {
    at: piece.from - range.from,
    separated: piece.from > place.container.first,
  });
  const last = piece.to - range.from;
  const text = textOf(bytes.subarray(first, last));
  const { records, mended } = recordsOf({ body, place, piece, text });
  const bare = place.path.length === 0 && place.container.kind === 'array';
  const whole = bare && range.from === 0 && range.to === body.bytes && !body.scan.bom;
  if (whole || place.form === 'map')
    return { body: bytes, items: records.length, recordsFrom: null, recordsTo: null, mended, records };
  const recordsFrom = codePoints(textOf(bytes.subarray(0, first)));
  const recordsTo = recordsFrom + codePoints(text);
  return { body: bytes, items: piece.items, recordsFrom, recordsTo, mended, records };
}

/** The offset of a piece's first record. After a cut, exactly one comma, and space, must stand before it. */
function firstRecord(bytes: Buffer, { at, separated }: { at: number; separated: boolean }): number {
  if (!separated) return at;
  const comma = skipSpace(bytes, at);
  if (bytes[comma] !== 0x2c) throw new CallFault('BODY_NOT_JSON', 'the body is not JSON');
  return skipSpace(bytes, comma + 1);
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

function recordsOf({ body, place, piece, text }: { body: Body; place: Place; piece: Piece; text: string }): {
  records: readonly unknown[];
  mended: string | null;
} {
  const { form } = place;
  if (form === 'map') {
    const whole = `{${text}}`;
    parsed(whole);
    const asRecords = `[${recordTexts(whole, place).join(',')}]`;
    return { records: parseExact(asRecords) as unknown[], mended: mend(asRecords) ?? asRecords };
  }
  const array = `[${text}]`;
  const known = place.path.length === 0 && form === 'array' ? body.json : undefined;
  const records = (known ?? parsed(array)) as readonly unknown[];
  const twice = countMembers(records) !== piece.colons;
  return { records, mended: twice || mayNeedMending(text) ? mend(array) : null };
}

/** Checks that the text around the records is JSON too, in a body that is too large to be parsed as a whole. */
function checkEnvelope(body: Body, place: Place | null): void {
  const root = body.scan.container;
  if (body.json !== undefined || root === null || place?.form === 'lines' || place?.form === 'text') return;
  const [to, from] = recordsIn(place) ?? [root.to, root.to];
  // The scanner has seen that there is only space before and behind the root.
  if (to - root.from + (root.to - from) > MAX_ENVELOPE_BYTES) {
    throw new CallFault(
      'RECORD_TOO_LARGE',
      `what stands around the records is larger than ${MAX_ENVELOPE_BYTES} bytes`,
    );
  }
  const [before, behind] = [textOf(body.read(root.from, to)), textOf(body.read(from, root.to))];
  parsed(`${before}${place?.form === 'record' ? 'null' : ''}${behind}`);
}

/** From where to where the records stand in an answer; undefined where it has none. */
function recordsIn(place: Place | null): readonly [from: number, to: number] | undefined {
  if (place === null || place.container.children === 0) return undefined;
  const { form, container } = place;
  return form === 'record' ? [container.from, container.to] : [container.first, lastOf(container)];
}

function lastOf({ cuts, to }: Container): number {
  return cuts.at(-1)?.at ?? to;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw new CallFault('BODY_NOT_JSON', 'the body is not JSON');
  }
}

/** Yields slices of at most 64 KiB without records, cut between characters. */
function* withoutRecords(body: Body, from: number, to: number): Generator<Slice> {
  for (let at = from; at < to; ) {
    let bytes = body.read(at, Math.min(to, at + SLICE_BYTES));
    if (at + bytes.length < to) bytes = bytes.subarray(0, lastBoundary(bytes));
    yield { body: bytes, items: 0, recordsFrom: null, recordsTo: null, mended: null, records: [] };
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
