import type { Config } from '../lib/config/config.ts';

/**
 * The name of a workgroup, and of its folder of results: `signage`, and `signage.finance` for a group of
 * readers. No installation's name has a dot, so it never equals an installation `signage-finance`.
 */
export function readersName({ name }: Pick<Config, 'name'>, group?: string): string {
  return group === undefined ? name : `${name}.${group}`;
}

/** The same for operators. No reader sees their results: no group of readers has `_` in its name. */
export function operatorsName({ name }: Pick<Config, 'name'>): string {
  return `${name}._ops`;
}
