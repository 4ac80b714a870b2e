import type { Config } from './config.ts';

/**
 * The stack of a config. CloudFormation knows no underscore, and two configs must not share a stack. `_`
 * becomes `--`, which no name has: `a_b` → `a--b`.
 */
export function stackName({ name }: Pick<Config, 'name'>): string {
  return name.replaceAll('_', '--');
}
