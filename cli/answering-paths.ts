import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '#lib/api/limits.ts';
import { treeOf, withSettings } from '#lib/config/setting-tree.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import type { Question } from '#lib/sources/question.ts';
import { RESOURCES, type Resource, type ResourceName, settingOf } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { callsOf, type Round } from './checked.ts';
import type { Proposal } from './proposals.ts';

/** A listing that is not at its path. */
export interface MissingPath {
  readonly source: string;
  readonly resource: ResourceName;
  /** The settings with which it answers; empty if no usual setting works. */
  readonly proposals: readonly Proposal[];
  /** If no usual setting works: the question, with every setting of its path. */
  readonly questions: readonly Question[];
}

/** Values of settings by name: `{"versions.slots": 1}`. */
type Variant = Readonly<Record<string, string | number>>;

/** The statuses that say that a path is wrong. */
const MISSING = [404, 405, 410];

/**
 * The listings that are not at their path, each with the settings with which it answers. Each usual value of the settings
 * in its path is tried with one call. The first listing that answers decides the settings that it shares with others.
 */
export async function missingPaths(round: Round, services: ApiServices): Promise<readonly MissingPath[]> {
  const found: MissingPath[] = [];
  for (const source of round.config.sources) {
    const resources = RESOURCES.filter(({ kind }) => kind === source.kind);
    const { variants } = kindNamed(source.kind);
    const mine = round.listings.filter((each) => each.source === source.name);
    const isShared = (name: string) =>
      resources.filter((each) => each.pathSettings.includes(name)).length > 1;
    const shared = mine.some(({ ok }) => ok) ? Object.keys(variants).filter(isShared) : [];
    const decided = new Map(shared.map((name) => [name, settingOf(source, name)]));
    for (const resource of resources) {
      const { name } = resource;
      const names = Object.keys(variants).filter((setting) => resource.pathSettings.includes(setting));
      const isAnswered = mine.some((each) => each.resource === name && each.answered > 0);
      const called = callsOf({ source: source.name, resource: name }, round.config, round.calls);
      const status = called.find((call) => MISSING.includes(call.status ?? 0))?.status;
      if (
        names.length === 0 ||
        isAnswered ||
        source.resources[name]?.path !== undefined ||
        status === undefined
      )
        continue;
      const [parent = ''] = round.sampled.get(source.name) ?? [];
      const variant = await firstAnswering({ source, resource, parent, names }, services);
      const why = `${name} is not where the settings say (HTTP ${status})`;
      const base = { source: source.name, resource: name };
      if (variant === undefined) {
        const open = names
          .filter((setting) => !decided.has(setting))
          .map((setting) => ({ setting, choices: variants[setting] ?? [] }));
        const cures = [
          ...open,
          { setting: `resources.${name}.path`, choices: [], open: 'where the listing is' },
        ];
        const question = {
          ...base,
          code: 'RESOURCE_MISSING',
          says: `${why}, nor with any of the usual settings`,
          cures,
        };
        found.push({ ...base, proposals: [], questions: [question] });
        continue;
      }
      for (const setting of names.filter(isShared))
        if (!decided.has(setting)) decided.set(setting, variant[setting]);
      const settings = settingsOf({ source, resource, variant, decided });
      found.push({
        ...base,
        proposals: settings.map(([setting, value]) => ({ ...base, setting, value, why })),
        questions: [],
      });
    }
  }
  return found;
}

interface Tried {
  readonly source: Source;
  readonly resource: Resource;
  readonly parent: string;
  readonly names: readonly string[];
}

async function firstAnswering(
  { source, resource, parent, names }: Tried,
  services: ApiServices,
): Promise<Variant | undefined> {
  const client = services.client(source, { width: 1 });
  const own = resource.target(source, parent).path;
  for (const variant of variantsOf(source, names)) {
    const target = resource.target(withSettings(source, treeOf(variant)), parent);
    if (target.path === own) continue;
    const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
    const reply = await client.get(target, bounds).catch((error: unknown) => {
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

/** The settings of a variant. A listing that needs another value of a shared setting than the other listings gets a `path` of its own. */
function settingsOf(
  options: Pick<Tried, 'source' | 'resource'> & {
    readonly variant: Variant;
    readonly decided: ReadonlyMap<string, unknown>;
  },
): readonly (readonly [string, string | number])[] {
  const { source, resource, variant, decided } = options;
  const entries = Object.entries(variant);
  if (entries.every(([name, value]) => !decided.has(name) || decided.get(name) === value))
    return entries.filter(([name, value]) => settingOf(source, name) !== value);
  const { path } = resource.target(withSettings(source, treeOf(variant)), 'PARENT');
  return [[`resources.${resource.name}.path`, path.replace('PARENT', '{id}')]];
}
