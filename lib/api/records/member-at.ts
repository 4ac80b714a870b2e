import type { Container, Member } from '../body/scan.ts';

/** A name without case and without the signs between its words. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * The container at a path of member names, exactly or else without case; a name may have points in it. Null
 * without one.
 */
export function containerAt(root: Container | null, path: readonly string[]): Container | null {
  return path.length === 0 ? root : (memberAt(root, path)?.container ?? null);
}

/** The member at a path; null without one. */
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

/** True if the setting `ignore` names the path, or what holds it, by path or by name. */
export function isIgnoredAt(path: readonly string[], ignore: readonly string[] = []): boolean {
  const wanted = new Set(ignore.map((each) => each.toLowerCase()));
  const names = path.map((name) => name.toLowerCase());
  return names.some((name, index) => wanted.has(name) || wanted.has(names.slice(0, index + 1).join('.')));
}
