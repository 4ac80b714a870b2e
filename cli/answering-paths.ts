import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '#lib/api/limits.ts';
import type { Config, Source } from '#lib/config/config.ts';
import { RESOURCES, type Resource, type ResourceName } from '#lib/resources.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { type Called, type Checked, isCallOf } from './checked.ts';

/** What one round of check called and found. */
export interface Round {
  readonly config: Config;
  readonly listings: readonly Checked[];
  readonly calls: readonly Called[];
}

/** What the config may say of where a backup listing is. */
export interface PathSettings {
  readonly product?: string;
  readonly versions?: Readonly<Partial<Source['versions']>>;
  readonly resources?: Readonly<Partial<Record<ResourceName, { readonly path: string }>>>;
}

/** A backup listing whose path is missing. */
export interface MissingPath {
  readonly source: string;
  readonly resource: ResourceName;
  /** Those with which it answers; null where it does with none. */
  readonly settings: PathSettings | null;
  /** What stands for them then: all that there is to choose from. */
  readonly choices: object;
}

type Call = keyof Source['versions'];

const CALLS: Readonly<Partial<Record<ResourceName, Call>>> = {
  backup_pricing: 'pricing',
  backup_storages: 'storages',
  backup_slots: 'slots',
};
const PRODUCTS = ['backup', 'backups'];
const VERSIONS = [0, 1];
/** Nothing is there, or nothing that can be got. */
const MISSING = [404, 405, 410];

/**
 * The backup listings whose path is missing, each with the settings with which it answers: the products and versions
 * that are in use are asked for in its place, one call each.
 */
export async function missingPaths(
  { config, listings, calls }: Round,
  services: ApiServices,
): Promise<readonly MissingPath[]> {
  const found: MissingPath[] = [];
  for (const source of config.sources) {
    const mine = listings.filter((each) => each.source === source.name);
    let product = mine.some(({ ok }) => ok) ? source.product : undefined;
    for (const resource of RESOURCES) {
      const call = CALLS[resource.name];
      const isAnswered = mine.some((each) => each.resource === resource.name && each.answered > 0);
      const isSet = source.resources[resource.name]?.path !== undefined;
      const missing = calls.find(
        ({ source: name, path, status }) =>
          name === source.name && isCallOf(resource, source)(path) && MISSING.includes(status ?? 0),
      );
      if (call === undefined || isAnswered || isSet || missing === undefined) continue;
      const variant = await firstAnswering({ source, call, missing }, services);
      product ??= variant?.product;
      found.push({
        source: source.name,
        resource: resource.name,
        settings: variant && product ? settingsOf({ source, resource, call, variant, product }) : null,
        choices: {
          ...(product === undefined && { product: PRODUCTS.join(' | ') }),
          versions: { [call]: VERSIONS.join(' | ') },
        },
      });
    }
  }
  return found;
}

interface Variant {
  readonly product: string;
  readonly version: number;
}

async function firstAnswering(
  { source, call, missing }: { readonly source: Source; readonly call: Call; readonly missing: Called },
  services: ApiServices,
): Promise<Variant | undefined> {
  const tried = prefixOf({ product: source.product, version: source.versions[call] });
  const products = new Set([source.product, ...PRODUCTS]);
  const versions = new Set([source.versions[call], ...VERSIONS]);
  const client = services.client(source, 1);
  for (const product of products) {
    for (const version of versions) {
      const prefix = prefixOf({ product, version });
      if (prefix === tried) continue;
      const target = { path: `${prefix}${missing.path.slice(tried.length)}`, query: missing.query };
      const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
      const reply = await client.get(target, bounds).catch((error: unknown) => {
        // Where the key is refused for good, nothing can be found out.
        if (client.refused() === undefined) throw error;
      });
      if (reply?.kind !== 'answer') continue;
      reply.body?.close();
      return { product, version };
    }
  }
  return undefined;
}

function prefixOf({ product, version }: Variant): string {
  return `/${version}/${product}`;
}

/** The product is that of all listings: where another one needs another, only a path of its own can say so. */
function settingsOf(options: {
  readonly source: Source;
  readonly resource: Resource;
  readonly call: Call;
  readonly variant: Variant;
  readonly product: string;
}): PathSettings {
  const { source, resource, call, variant, product } = options;
  if (variant.product !== product) {
    const versions = { ...source.versions, [call]: variant.version };
    const { path } = resource.target({ ...source, product: variant.product, versions }, 'ID');
    return { resources: { [resource.name]: { path: path.replace('/ID/', '/{id}/') } } };
  }
  return {
    ...(product !== source.product && { product }),
    ...(variant.version !== source.versions[call] && { versions: { [call]: variant.version } }),
  };
}

/** The sources whose listings answer elsewhere, as they are with the settings for it. */
export function atAnsweringPaths(config: Config, missing: readonly MissingPath[]): Config {
  const sources = config.sources.flatMap((source) => {
    const mine = missing.flatMap((each) => (each.source === source.name && each.settings) || []);
    return mine.length === 0 ? [] : [mine.reduce(withSettings, source)];
  });
  return { ...config, sources };
}

function withSettings(source: Source, { product, versions, resources }: PathSettings): Source {
  const paths = Object.entries(resources ?? {}).map(([name, { path }]) => [
    name,
    { columns: {}, drop: [], mask: [], ...source.resources[name as ResourceName], path },
  ]);
  return {
    ...source,
    product: product ?? source.product,
    versions: { ...source.versions, ...versions },
    resources: { ...source.resources, ...Object.fromEntries(paths) },
  };
}
