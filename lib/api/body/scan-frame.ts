import { type Container, type Cut, type Member, SLICE_BYTES } from './scan.ts';

/** An envelope has a handful of members; a map of 100,000 objects must not cost a container each. */
export const TRACKED_MEMBERS = 64;

/** A tracked container that is still open. */
export interface Frame {
  readonly path: readonly string[];
  readonly kind: 'array' | 'object';
  readonly from: number;
  /** Colons of the body before it. */
  readonly colonsBefore: number;
  first: number;
  last: number;
  children: number;
  objects: number;
  arrays: number;
  colonsAtLast: number;
  pieceFrom: number;
  readonly cuts: Cut[];
  readonly members: Member[];
  /** The key of the current value. */
  name: string;
}

/** A container that opens at `from`, after `colonsBefore` members of the body. */
export function openFrame(open: Pick<Frame, 'path' | 'kind' | 'from' | 'colonsBefore'>): Frame {
  const counts = { children: 0, objects: 0, arrays: 0, colonsAtLast: 0 };
  return { ...open, ...counts, first: -1, last: -1, pieceFrom: 0, cuts: [], members: [], name: '' };
}

/** A list for JSON lines after their first object, which has `colons` members. */
export function linesBehind({ from, to }: Container, colons: number): Frame {
  const frame = openFrame({ path: [], kind: 'array', from, colonsBefore: 0 });
  beginChild(frame, from);
  endChild(frame, { kind: 'object', text: null, container: null, end: to, colons });
  return frame;
}

/** Begins a child at this offset. */
export function beginChild(frame: Frame, from: number): void {
  if (frame.first !== -1) return;
  frame.first = from;
  frame.pieceFrom = from;
}

/** Notes a child that ended before `end`, and cuts before it if the piece would exceed 64 KiB. */
export function endChild(
  frame: Frame,
  child: Omit<Member, 'name'> & { readonly end: number; readonly colons: number },
): void {
  const { kind, text, container, end, colons } = child;
  if (kind === 'object') frame.objects += 1;
  if (kind === 'array') frame.arrays += 1;
  if (frame.kind === 'object' && frame.members.length < TRACKED_MEMBERS)
    frame.members.push({ name: frame.name, kind, text, container });
  if (end - frame.pieceFrom > SLICE_BYTES && frame.last > frame.pieceFrom) cut(frame);
  frame.last = end;
  frame.children += 1;
  frame.colonsAtLast = colons - frame.colonsBefore;
  if (end - frame.pieceFrom > SLICE_BYTES) cut(frame);
}

/** The finished container; `to` is the offset after its closing bracket. */
export function closeFrame(frame: Frame, to: number): Container {
  if (frame.last > frame.pieceFrom) cut(frame);
  const { path, kind, from, first, children, objects, arrays, colonsAtLast: colons, cuts, members } = frame;
  return { path, kind, from, to, first, children, objects, arrays, colons, cuts, members };
}

function cut(frame: Frame): void {
  frame.cuts.push({ at: frame.last, children: frame.children, colons: frame.colonsAtLast });
  frame.pieceFrom = frame.last;
}
