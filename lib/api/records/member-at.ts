import type { Container, Member } from '../body/scan.ts';

/** A name without case and without the signs between its words. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * The container that a path of member names leads to, exactly or else without case; a name may have points in it. Null
 * where none is there.
 */
export function containerAt(root: Container | null, path: readonly string[]): Container | null {
  if (path.length === 0) return root;
  return memberAt(root, path)?.container ?? null;
}

/** The member that a path leads to; null where none is there. */
export function memberAt(root: Container | null, path: readonly string[]): Member | null {
  for (let length = 1; length <= path.length; length++) {
    const member = memberNamed(root?.members ?? [], path.slice(0, length).join('.'));
    if (member === undefined) continue;
    const rest = path.slice(length);
    const found = rest.length === 0 ? member : memberAt(member.container, rest);
    if (found !== null) return found;
  }
  return null;
}

function memberNamed(members: readonly Member[], name: string): Member | undefined {
  return (
    members.find((member) => member.name === name) ??
    members.find((member) => plainName(member.name) === plainName(name))
  );
}
