import type * as z from 'zod';
import { ExportError } from '../errors.ts';
import type { OpeningHours } from '../schema/schema.ts';
import type { Source } from '../sources/source.ts';
import type { configShape } from './config-shape.ts';

/** The config that all stages read: defaults filled in, paths absolute, the file of hours read. */
export type Config = Readonly<Omit<z.output<typeof configShape>, 'sources' | 'hours' | '$schema'>> & {
  /** Those of the file that the setting names. */
  readonly hours?: readonly OpeningHours[];
  readonly sources: readonly Source[];
};

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

/**
 * The stack of a config. CloudFormation knows no underscore, and two configs must not share a stack. `_`
 * becomes `--`, which no name has: `a_b` → `a--b`.
 */
export function stackName({ name }: Pick<Config, 'name'>): string {
  return name.replaceAll('_', '--');
}
