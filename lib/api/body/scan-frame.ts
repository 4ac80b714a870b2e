import { type Container, type Cut, type JsonKind, type Member, SLICE_BYTES } from './scan.ts';

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
  /** The key whose value is being read. */
  name: string;
}

/** A container that opens at `from`, `colons` members into the body. */
export function openFrame(open: Pick<Frame, 'path' | 'kind' | 'from' | 'colonsBefore'>): Frame {
  return {
    ...open,
    first: -1,
    last: -1,
    children: 0,
    objects: 0,
    arrays: 0,
    colonsAtLast: 0,
    pieceFrom: 0,
    cuts: [],
    members: [],
    name: '',
  };
}

/** A list of what comes line by line, of which the first object has been read, with so many members. */
export function linesBehind({ from, to }: Container, colons: number): Frame {
  const frame = openFrame({ path: [], kind: 'array', from, colonsBefore: 0 });
  frame.first = from;
  frame.pieceFrom = from;
  frame.objects = 1;
  endChild(frame, to, colons);
  return frame;
}

/** Counts a child that ended before `end`, and cuts before it if the piece would exceed 64 KiB. */
export function endChild(frame: Frame, end: number, colons: number): void {
  if (end - frame.pieceFrom > SLICE_BYTES && frame.last > frame.pieceFrom) cut(frame);
  frame.last = end;
  frame.children += 1;
  frame.colonsAtLast = colons - frame.colonsBefore;
  if (end - frame.pieceFrom > SLICE_BYTES) cut(frame);
}

/** The finished container; `to` is the offset after its closing bracket. */
export function closeFrame(frame: Frame, to: number): Container {
  if (frame.last > frame.pieceFrom) cut(frame);
  return {
    path: frame.path,
    kind: frame.kind,
    from: frame.from,
    to,
    first: frame.first,
    children: frame.children,
    objects: frame.objects,
    arrays: frame.arrays,
    colons: frame.colonsAtLast,
    cuts: frame.cuts,
    members: frame.members,
  };
}

/** Notes kind, text and container of the child that has just ended. */
export function noteChild(
  frame: Frame,
  kind: JsonKind,
  child: { text: string | null; container: Container | null },
): void {
  if (kind === 'object') frame.objects += 1;
  if (kind === 'array') frame.arrays += 1;
  if (frame.kind === 'array' || frame.members.length >= TRACKED_MEMBERS) return;
  frame.members.push({ name: frame.name, kind, ...child });
}

function cut(frame: Frame): void {
  frame.cuts.push({ at: frame.last, children: frame.children, colons: frame.colonsAtLast });
  frame.pieceFrom = frame.last;
}
