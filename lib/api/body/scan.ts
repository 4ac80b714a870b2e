/** The kind of a JSON value; its first byte decides. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A member of a tracked object. */
export interface Member {
  readonly name: string;
  readonly kind: JsonKind;
  /** The JSON text of a scalar of at most 1 kB; null for everything else. */
  readonly text: string | null;
  readonly container: Container | null;
}

/** The end of a piece of whole children; counts start at the container's beginning. */
export interface Cut {
  readonly at: number;
  readonly children: number;
  /** Object members at any depth, counted by their colons. */
  readonly colons: number;
}

/** An array or object that may hold the records. Offsets are bytes from the body's beginning. */
export interface Container {
  readonly path: readonly string[];
  readonly kind: 'array' | 'object';
  /** The offset of its opening bracket. */
  readonly from: number;
  /** The offset after its closing bracket. */
  readonly to: number;
  /** The offset of its first child (in an object: its first key); -1 without children. */
  readonly first: number;
  readonly children: number;
  readonly objects: number;
  /** The number of children that are lists. */
  readonly arrays: number;
  /** Object members at any depth, with its own. */
  readonly colons: number;
  /** Ends of pieces of at most 64 KiB of whole children; a longer child is its own piece. */
  readonly cuts: readonly Cut[];
  /** The first 64 members of an object. */
  readonly members: readonly Member[];
}

export interface Scan {
  readonly bytes: number;
  /** True where the body begins with a byte order mark. */
  readonly bom: boolean;
  readonly root: JsonKind | 'none';
  /** The root if it is an array or object. */
  readonly container: Container | null;
  /** Why the body is not JSON, from brackets and strings only; JSON.parse checks the rest. */
  readonly problem: 'truncated' | 'html' | 'not-json' | 'too-deep' | null;
}

/**
 * Small, because a slice leaves ten times its size of garbage, and V8 frees texts of 128 KiB late. DuckDB
 * could stream rows of 1 MiB within 1 GB of memory, but not one row of 245 MB (measured).
 */
export const SLICE_BYTES = 1 << 16;

/** An envelope has a handful of members; a map of 100,000 objects must not cost a container each. */
const TRACKED_MEMBERS = 64;

/** A tracked container that is still open. */
export type Frame = { -readonly [Name in keyof Container]: Container[Name] } & {
  readonly cuts: Cut[];
  readonly members: Member[];
  /** Colons of the body before it. */
  readonly colonsBefore: number;
  /** The key of the current value. */
  name: string;
  /** Where the last child ended, and where the current piece begins. */
  last: number;
  pieceFrom: number;
};

export function newFrame(open: Pick<Frame, 'path' | 'kind' | 'from' | 'colonsBefore'>): Frame {
  const counts = { children: 0, objects: 0, arrays: 0, colons: 0, first: -1, last: -1, pieceFrom: 0, to: -1 };
  return { ...open, ...counts, cuts: [], members: [], name: '' };
}

/** True for an object with fewer members than are kept. */
export function keeps({ kind, members }: Frame): boolean {
  return kind === 'object' && members.length < TRACKED_MEMBERS;
}

export function beginChild(frame: Frame, from: number): void {
  if (frame.first !== -1) return;
  frame.first = from;
  frame.pieceFrom = from;
}

/** Notes a child that ended before `end`, and cuts before it if the piece would exceed 64 KiB. */
export function endChild(
  frame: Frame,
  { end, colons, ...child }: Omit<Member, 'name'> & { readonly end: number; readonly colons: number },
): void {
  if (child.kind === 'object') frame.objects += 1;
  if (child.kind === 'array') frame.arrays += 1;
  if (keeps(frame)) frame.members.push({ name: frame.name, ...child });
  if (end - frame.pieceFrom > SLICE_BYTES && frame.last > frame.pieceFrom) cut(frame);
  frame.last = end;
  frame.children += 1;
  frame.colons = colons - frame.colonsBefore;
  if (end - frame.pieceFrom > SLICE_BYTES) cut(frame);
}

/** The finished container; `to` is the offset after its closing bracket. */
export function closed(frame: Frame, to: number): Container {
  if (frame.last > frame.pieceFrom) cut(frame);
  frame.to = to;
  return frame;
}

function cut(frame: Frame): void {
  frame.cuts.push({ at: frame.last, children: frame.children, colons: frame.colons });
  frame.pieceFrom = frame.last;
}
