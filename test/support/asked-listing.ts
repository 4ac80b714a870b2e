import type { Config } from '#lib/config/config.ts';
import { RESOURCES, type ResourceName } from '#lib/sources/resources.ts';

export interface AskedListing {
  /** The name of the source. */
  readonly source: string;
  readonly name: ResourceName;
  /** Whose listing it is; undefined for a listing without parents. */
  readonly parentId: string | undefined;
}

/** Stands for the parent's id; no path has it. */
const PARENT = 'the-parent';

/** Which listing of the config's sources a call to that path asks for, whatever their kinds; undefined for none. */
export function askedListing({ sources }: Config, path: string): AskedListing | undefined {
  const [asked = ''] = path.split('?');
  for (const source of sources)
    for (const { name, kind, parent, target } of RESOURCES) {
      if (kind !== source.kind) continue;
      const [before = '', after] = target(source, PARENT).path.split(PARENT);
      if (parent === null && asked === before) return { source: source.name, name, parentId: undefined };
      if (after === undefined || !asked.startsWith(before) || !asked.endsWith(after)) continue;
      const id = asked.slice(before.length, asked.length - after.length);
      if (id !== '' && !id.includes('/'))
        return { source: source.name, name, parentId: decodeURIComponent(id) };
    }
  return undefined;
}
