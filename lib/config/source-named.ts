import { ExportError } from '../errors.ts';
import type { Source } from '../sources/source.ts';
import type { Config } from './config.ts';

/** The source of that name; undefined if the config lacks it. */
export function sourceIfAny({ sources }: Pick<Config, 'sources'>, name: string): Source | undefined {
  return sources.find((source) => source.name === name);
}

/** The source of that name; throws SOURCE_UNKNOWN if the run's config lacks it. */
export function sourceNamed(config: Config, name: string): Source {
  const found = sourceIfAny(config, name);
  if (found !== undefined) return found;
  const known = config.sources.map((source) => source.name).join(', ');
  throw new ExportError({
    code: 'SOURCE_UNKNOWN',
    message: `The config has no source ${JSON.stringify(name)}; it has ${known}.`,
  });
}
