import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '#lib/api/limits.ts';
import type { Config } from '#lib/config/config.ts';
import { mergeTrees, type SettingTree, treeOf, withSettings } from '#lib/config/setting-tree.ts';
import { RESOURCES, type Resource, type ResourceName, settingOf } from '#lib/resources.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import type { Source } from '#lib/sources/source.ts';
import { type Called, type Checked, isCallOf } from './checked.ts';

/** What one round of check called and found. */
export interface Round {
  readonly config: Config;
  readonly listings: readonly Checked[];
  readonly calls: readonly Called[];
}

/** A listing whose path is missing. */
export interface MissingPath {
  readonly source: string;
  readonly resource: ResourceName;
  /** Those with which it answers; null where it does with none. */
  readonly settings: SettingTree | null;
  /** What stands for them then: all that there is to choose from. */
  readonly choices: SettingTree;
}

/** Values of settings by name, `versions.slots` say. */
type Variant = Readonly<Record<string, unknown>>;

/** Nothing is there, or nothing that can be got. */
const MISSING = [404, 405, 410];

/**
 * The listings whose path is missing, each with the settings with which it answers: what installations write in place of
 * the settings in its path is asked for, one call each.
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
    // What several listings share is decided by the first of them that answers.
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
      found.push({
        source: source.name,
        resource: resource.name,
        settings: variant === undefined ? null : settingsOf({ source, resource, variant, decided }),
        choices: treeOf(Object.fromEntries(open.map((name) => [name, variants[name]?.join(' | ')]))),
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
  const client = services.client(source, 1);
  const parent = parentIn(missing.path, pathOf(resource, source));
  for (const variant of variantsOf(source, names)) {
    const path = pathOf(resource, withSettings(source, treeOf(variant))).replace(PARENT, () => parent);
    if (path === missing.path) continue;
    const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
    const reply = await client.get({ path, query: missing.query }, bounds).catch((error: unknown) => {
      // Where the key is refused for good, nothing can be found out.
      if (client.refused() === undefined) throw error;
    });
    if (reply?.kind !== 'answer') continue;
    reply.body?.close();
    return variant;
  }
  return undefined;
}

/** Every combination of what the source has and what may stand in its place. */
function variantsOf(source: Source, names: readonly string[]): readonly Variant[] {
  const { variants } = kindNamed(source.kind);
  return names.reduce<readonly Variant[]>(
    (all, name) => {
      const values = new Set([settingOf(source, name), ...(variants[name] ?? [])]);
      return all.flatMap((variant) => [...values].map((value) => ({ ...variant, [name]: value })));
    },
    [{}],
  );
}

const PARENT = 'PARENT';

function pathOf(resource: Resource, source: Source): string {
  return resource.target(source, PARENT).path;
}

/** The segment of a call's path that names the parent; empty where there is none. */
function parentIn(path: string, template: string): string {
  const [before = '', after] = template.split(PARENT);
  return after === undefined ? '' : path.slice(before.length, path.length - after.length);
}

/** What is shared is that of all listings: where another one needs another, only a path of its own can say so. */
function settingsOf(options: {
  readonly source: Source;
  readonly resource: Resource;
  readonly variant: Variant;
  readonly decided: ReadonlyMap<string, unknown>;
}): SettingTree {
  const { source, resource, variant, decided } = options;
  const entries = Object.entries(variant);
  if (entries.some(([name, value]) => decided.has(name) && decided.get(name) !== value)) {
    const path = pathOf(resource, withSettings(source, treeOf(variant))).replace(PARENT, '{id}');
    return { resources: { [resource.name]: { path } } };
  }
  return treeOf(Object.fromEntries(entries.filter(([name, value]) => settingOf(source, name) !== value)));
}

/** The sources whose listings answer elsewhere, as they are with the settings for it. */
export function atAnsweringPaths(config: Config, missing: readonly MissingPath[]): Config {
  const sources = config.sources.flatMap((source) => {
    const mine = missing.flatMap((each) => (each.source === source.name && each.settings) || []);
    return mine.length === 0 ? [] : [withSettings(source, mergeTrees(mine))];
  });
  return { ...config, sources };
}
