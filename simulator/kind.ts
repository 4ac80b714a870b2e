import { RESOURCES, type Resource, type ResourceOf } from '#lib/sources/resources.ts';

/** The APIs that the simulator serves; lib may have further kinds of sources. */
export type ServedKind = 'signage' | 'backup';

/** A listing of one of these APIs. */
export type ServedResource = ResourceOf<ServedKind>;

export type Served = Resource & {
  readonly name: ServedResource;
  readonly kind: ServedKind;
  readonly parent: 'players' | 'backup_storages' | null;
};

/** The listings of these APIs, parents before their children. */
export const SERVED: readonly Served[] = RESOURCES.filter(
  (each): each is Served => each.kind === 'signage' || each.kind === 'backup',
);

export const SERVED_NAMES: readonly ServedResource[] = SERVED.map(({ name }) => name);

/** The listing of that name. */
export function servedNamed(name: ServedResource): Served {
  const found = SERVED.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`the simulator serves no ${name}`);
  return found;
}

/** The API that serves a resource. */
export function kindOf(resource: ServedResource): ServedKind {
  return servedNamed(resource).kind;
}
