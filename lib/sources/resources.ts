import { valueAt } from '../fields.ts';
import type { AnswerForm, Kind, Listing } from './kind.ts';
import { KINDS, type ResourceName, type SourceKind } from './kinds.ts';
import { fillPath, type PathTemplate, parsePath } from './path-template.ts';
import type { Source } from './source.ts';

export type { ResourceName, ResourceOf, SourceKind } from './kinds.ts';

export interface Resource
  extends Required<Pick<Listing, 'record' | 'listing' | 'mayBeOneRecord' | 'isQueue'>> {
  readonly name: ResourceName;
  readonly kind: SourceKind;
  /** The parent resource: each of its records has a listing of this one. */
  readonly parent: ResourceName | null;
  /** The column with the parent's id as text, in the parent's own table too. */
  readonly parentColumn: string | null;
  /** The usual form of its answers, all on one page. */
  readonly form: AnswerForm;
  /** The settings in its path, such as `versions.slots`. */
  readonly pathSettings: readonly string[];
  /** Path and query of its call, below the source's baseUrl. The parent's id is encoded as one path segment. */
  readonly target: (source: Source, parentId: string) => Target;
}

export interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A setting of the source in a template. */
const PLACEHOLDER = /\{(?!id\})([^{}]+)\}/g;

/** The listings of all kinds of sources, parents before their children; the config may set another path for each. */
export const RESOURCES: readonly Resource[] = KINDS.flatMap((kind) => resourcesOf(kind));

export const RESOURCE_NAMES: readonly ResourceName[] = RESOURCES.map(({ name }) => name);

function resourcesOf({ kind, parents, form, listings }: Kind<SourceKind, ResourceName>): readonly Resource[] {
  return listings.map((listing) => {
    const { name, parent = null } = listing;
    const isParent = listings.some((other) => other.parent === name);
    // All calls of a listing share it, perhaps a hundred thousand.
    const templates = new WeakMap<Source, PathTemplate>();
    const templateFor = (source: Source): PathTemplate => {
      const template = templates.get(source) ?? templateOf(listing, source);
      templates.set(source, template);
      return template;
    };
    return {
      name,
      kind,
      record: listing.record,
      listing: listing.listing,
      parent,
      parentColumn: parent !== null || isParent ? parents.column : null,
      mayBeOneRecord: listing.mayBeOneRecord ?? false,
      isQueue: listing.isQueue ?? false,
      form,
      pathSettings: settingsIn(listing.path),
      target: (source, parentId) => fillPath(templateFor(source), parentId),
    };
  });
}

/** Path and query of a listing's calls, with the source's own settings in them. */
function templateOf(listing: Listing<ResourceName>, source: Source): PathTemplate {
  const { path, query } = parsePath(
    source.resources[listing.name]?.path ?? source.basePath + filled(listing.path, source),
  );
  const own = Object.entries(listing.query ?? {}).map(([name, value]) => [name, filled(value, source)]);
  return { path, query: { ...Object.fromEntries(own), ...query } };
}

function settingsIn(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].flatMap(([, setting]) => setting ?? []);
}

/** The template with the source's own settings in it. */
function filled(template: string, source: Source): string {
  return template.replaceAll(PLACEHOLDER, (_, setting: string) => String(settingOf(source, setting)));
}

/** The value of a setting that its keys name, such as `versions.slots`. */
export function settingOf(source: Source, setting: string): unknown {
  return valueAt(source, setting.split('.'));
}

/** The settings of all kinds in paths and queries, such as `basePath` and `versions`. */
export const CALL_SETTINGS: readonly string[] = [
  ...new Set([
    'basePath',
    ...KINDS.flatMap(({ listings }: Kind) =>
      listings.flatMap(({ path, query }) => [path, ...Object.values(query ?? {})].flatMap(settingsIn)),
    ).map((name) => name.split('.')[0] ?? name),
  ]),
];

/** The resource of that name. */
export function resourceNamed(name: ResourceName): Resource {
  const found = RESOURCES.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource ${name}`);
  return found;
}

/** The listings of a kind of source that need no parent, in order. */
export function topLevelResources(kind: SourceKind): readonly Resource[] {
  return RESOURCES.filter((resource) => resource.kind === kind && resource.parent === null);
}

/** The listings that are called once for each record of a listing. */
export function childrenOf(parent: ResourceName): readonly Resource[] {
  return RESOURCES.filter((resource) => resource.parent === parent);
}
