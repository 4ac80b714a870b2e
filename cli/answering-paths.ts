import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '#lib/api/limits.ts';
import type { Config } from '#lib/config/config.ts';
import { treeOf, withSettings } from '#lib/config/setting-tree.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import type { Question } from '#lib/sources/question.ts';
import { RESOURCES, type Resource, type ResourceName, settingOf } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { type Called, type Checked, isCallOf } from './checked.ts';
import type { Proposal } from './proposals.ts';

/** The calls of one round of `check`, and what it found. */
export interface Round {
  readonly config: Config;
  readonly listings: readonly Checked[];
  readonly calls: readonly Called[];
}

/** A listing that is not at its path. */
export interface MissingPath {
  readonly source: string;
  readonly resource: ResourceName;
  /** The settings with which it answers; empty if no usual setting works. */
  readonly proposals: readonly Proposal[];
  /** If no usual setting works: the question, with every setting of its path. */
  readonly asks: readonly Question[];
}

/** Values of settings by name: `{"versions.slots": 1}`. */
type Variant = Readonly<Record<string, string | number>>;

/** The statuses that say that a path is wrong. */
const MISSING = [404, 405, 410];

/**
 * The listings that are not at their path, each with the settings with which it answers. Each usual value of the settings
 * in its path is tried with one call.
 */
export async function missingPaths(
  { config, listings, calls }: Round,
  services: ApiServices,
): Promise<readonly MissingPath[]> {
  const found: MissingPath[] = [];
  for (const source of config.sources) {
    const resources = RESOURCES.filter(({ kind }) => kind === source.kind);
    const { variants } = kindNamed(source.kind);
    const isShared = (name: string) =>
      resources.filter(({ pathSettings }) => pathSettings.includes(name)).length > 1;
    const mine = listings.filter((each) => each.source === source.name);
    // The first listing that answers decides the settings that it shares with others.
    const decided = new Map<string, unknown>();
    if (mine.some(({ ok }) => ok))
      for (const name of Object.keys(variants).filter(isShared)) decided.set(name, settingOf(source, name));
    for (const resource of resources) {
      const names = Object.keys(variants).filter((name) => resource.pathSettings.includes(name));
      const isAnswered = mine.some((each) => each.resource === resource.name && each.answered > 0);
      const isSet = source.resources[resource.name]?.path !== undefined;
      const missing = calls.find(
        ({ source: name, path, status }) =>
          name === source.name && isCallOf(resource, source)(path) && MISSING.includes(status ?? 0),
      );
      if (names.length === 0 || isAnswered || isSet || missing === undefined) continue;
      const variant = await firstAnswering({ source, resource, names, missing }, services);
      for (const name of names.filter(isShared))
        if (variant !== undefined && !decided.has(name)) decided.set(name, variant[name]);
      const open = names.filter((name) => !decided.has(name));
      const why = `${resource.name} is not where the settings say (HTTP ${missing.status})`;
      found.push({
        source: source.name,
        resource: resource.name,
        proposals: variant === undefined ? [] : proposalsFor({ source, resource, why, variant, decided }),
        asks: variant === undefined ? [choiceOf({ source, resource, why }, open)] : [],
      });
    }
  }
  return found;
}

async function firstAnswering(
  options: {
    readonly source: Source;
    readonly resource: Resource;
    readonly names: readonly string[];
    readonly missing: Called;
  },
  services: ApiServices,
): Promise<Variant | undefined> {
  const { source, resource, names, missing } = options;
  const client = services.client(source, { width: 1 });
  const parent = parentIn(missing.path, pathOf(resource, source));
  for (const variant of variantsOf(source, names)) {
    const path = pathOf(resource, withSettings(source, treeOf(variant))).replace(PARENT, () => parent);
    if (path === missing.path) continue;
    const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
    const reply = await client.get({ path, query: missing.query }, bounds).catch((error: unknown) => {
      // After the key was refused, no call is made any more.
      if (client.refused() === undefined) throw error;
    });
    if (reply?.kind !== 'answer') continue;
    reply.body?.close();
    return variant;
  }
  return undefined;
}

/** Every combination of the source's own values and the usual ones of its kind. */
function variantsOf(source: Source, names: readonly string[]): readonly Variant[] {
  const { variants } = kindNamed(source.kind);
  return names.reduce<readonly Variant[]>(
    (all, name) => {
      const own = settingOf(source, name);
      const known = typeof own === 'string' || typeof own === 'number' ? [own] : [];
      const values = new Set([...known, ...(variants[name] ?? [])]);
      return all.flatMap((variant) => [...values].map((value) => ({ ...variant, [name]: value })));
    },
    [{}],
  );
}

const PARENT = 'PARENT';

function pathOf(resource: Resource, source: Source): string {
  return resource.target(source, PARENT).path;
}

/** The segment of a call's path that names the parent; empty if the path names none. */
function parentIn(path: string, template: string): string {
  const [before = '', after] = template.split(PARENT);
  return after === undefined ? '' : path.slice(before.length, path.length - after.length);
}

interface Found {
  readonly source: Source;
  readonly resource: Resource;
  readonly why: string;
}

/** A listing that needs another value of a shared setting than the other listings gets a `path` of its own. */
function proposalsFor(
  options: Found & { readonly variant: Variant; readonly decided: ReadonlyMap<string, unknown> },
): readonly Proposal[] {
  const { source, resource, why, variant, decided } = options;
  const entries = Object.entries(variant);
  const proposal = (setting: string, value: Proposal['value']) => ({
    source: source.name,
    resource: resource.name,
    setting,
    value,
    why,
  });
  if (entries.some(([name, value]) => decided.has(name) && decided.get(name) !== value)) {
    const path = pathOf(resource, withSettings(source, treeOf(variant))).replace(PARENT, '{id}');
    return [proposal(`resources.${resource.name}.path`, path)];
  }
  return entries
    .filter(([name, value]) => settingOf(source, name) !== value)
    .map(([name, value]) => proposal(name, value));
}

/** `open`: the settings of the path that no other listing has decided. */
function choiceOf({ source, resource, why }: Found, open: readonly string[]): Question {
  const { variants } = kindNamed(source.kind);
  return {
    code: 'RESOURCE_MISSING',
    source: source.name,
    resource: resource.name,
    says: `${why}, nor with any of the usual settings`,
    cures: [
      ...open.map((setting) => ({ setting, choices: variants[setting] ?? [] })),
      { setting: `resources.${resource.name}.path`, choices: [], open: 'where the listing is' },
    ],
  };
}
