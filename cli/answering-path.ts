import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '#lib/api/limits.ts';
import { treeOf, withSettings } from '#lib/config/setting-tree.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import { type Resource, resourceNamed, settingOf, type Target } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import type { Checked } from './checked.ts';
import type { Proposal } from './proposals.ts';

const MISSING = [404, 405, 410];

interface Asked {
  readonly listings: readonly Checked[];
  readonly parents: readonly string[];
  readonly services: ApiServices;
}

/**
 * The settings that make the first missing listing answer: it tries each usual value of a setting in its path
 * with one call. If this would move a listing that answers, the other one gets a path of its own.
 */
export async function answeringPath(
  source: Source,
  { listings, parents: [parent = ''], services }: Asked,
): Promise<readonly Proposal[]> {
  const missing = listings.filter(
    ({ resource, status, answered }) =>
      answered === 0 && source.resources[resource]?.path === undefined && MISSING.includes(status ?? 0),
  );
  for (const { resource: name, status } of missing) {
    const resource = resourceNamed(name);
    for (const variant of variantsOf(source, resource)) {
      const other = withSettings(source, treeOf(variant));
      const isElsewhere = ({ target }: Resource) =>
        target(other, parent).path !== target(source, parent).path;
      if (!isElsewhere(resource) || !(await isAnswered(resource.target(other, parent), other, services)))
        continue;
      const wouldMove = listings.some((each) => each.ok && isElsewhere(resourceNamed(each.resource)));
      const path = resource.target(other, 'PARENT').path.replace('PARENT', '{id}');
      const settings = wouldMove ? { [`resources.${name}.path`]: path } : variant;
      const why = `${name} is not where the settings say (HTTP ${status})`;
      return Object.entries(settings)
        .filter(([setting, value]) => settingOf(source, setting) !== value)
        .map(([setting, value]) => ({ source: source.name, resource: name, setting, value, why }));
    }
  }
  return [];
}

/** Settings by name, such as `{"versions.slots": 1}`: every combination of the source's own values and the usual ones. */
function variantsOf(source: Source, { pathSettings }: Resource) {
  const { variants } = kindNamed(source.kind);
  let all: readonly Readonly<Record<string, string | number>>[] = [{}];
  for (const name of Object.keys(variants).filter((each) => pathSettings.includes(each))) {
    const values = new Set([settingOf(source, name) as string | number, ...(variants[name] ?? [])]);
    all = all.flatMap((variant) => [...values].map((value) => ({ ...variant, [name]: value })));
  }
  return all;
}

async function isAnswered(target: Target, source: Source, services: ApiServices): Promise<boolean> {
  const client = services.client(source, { width: 1 });
  const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
  const reply = await client.get(target, bounds).catch((error: unknown) => {
    // After the API refuses the key, no further call is made.
    if (client.refused() === undefined) throw error;
  });
  if (reply?.kind !== 'answer') return false;
  reply.body?.close();
  return true;
}
