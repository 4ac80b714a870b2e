import type { Source } from '../sources/source.ts';
import { sourceShape } from './config-shape.ts';

/** Settings in the config's nesting; the value of a leaf may be anything. */
export type SettingTree = Readonly<Record<string, unknown>>;

/** The settings with names such as `versions.slots`, each below its keys. */
export function treeOf(settings: Readonly<Record<string, unknown>>): SettingTree {
  return mergeTrees(
    Object.entries(settings).map(([name, value]) =>
      name.split('.').reduceRight<unknown>((below, key) => ({ [key]: below }), value),
    ),
  );
}

/** All trees in one. If two have the same setting, the earlier tree wins. */
export function mergeTrees(trees: readonly unknown[]): SettingTree {
  return trees.filter(isTree).reduce(merge, {});
}

/** The source with these settings instead of its own. Throws if the config does not take them. */
export function withSettings(source: Source, settings: SettingTree): Source {
  return sourceShape.parse(mergeTrees([settings, source]));
}

function merge(one: SettingTree, other: SettingTree): SettingTree {
  const below = Object.entries(other).map(([key, value]) => {
    const known = one[key];
    return [key, isTree(known) && isTree(value) ? merge(known, value) : (known ?? value)];
  });
  return { ...one, ...Object.fromEntries(below) };
}

function isTree(value: unknown): value is SettingTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
