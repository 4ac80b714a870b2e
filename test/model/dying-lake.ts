import { lakeKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';

const HEAD = lakeKey('head');

/** What a process that was killed leaves of its last step. */
export class Killed extends Error {}

export interface Death {
  /** The change to the lake with which the process dies, from 1. */
  readonly at: number;
  /** True: that change is done, and nobody hears of it. */
  readonly isDone: boolean;
  /** It dies with the first put of the head instead: between the commit and what follows it. */
  readonly isAtHead?: boolean;
}

/** A lake whose process dies at one of its changes: from then on nothing answers. Without a death it only counts. */
export function dyingLake(
  lake: Lake,
  death: Death | undefined,
): Lake & { readonly changes: () => number; readonly hasDied: () => boolean } {
  let changes = 0;
  let isDead = false;
  const alive = () => {
    if (isDead) throw new Killed('the process is dead');
  };
  const change = async <Result>(
    step: () => Promise<Result>,
    { half = step, key = '' }: { readonly half?: () => Promise<unknown>; readonly key?: string } = {},
  ) => {
    alive();
    changes += 1;
    const isNow = death?.isAtHead === true ? key === HEAD : changes === death?.at;
    if (death === undefined || !isNow) return await step();
    isDead = true;
    if (death.isDone) await half();
    throw new Killed(`killed at change ${changes}`);
  };
  return {
    ...lake,
    changes: () => changes,
    hasDied: () => isDead,
    read: async (key) => {
      alive();
      return await lake.read(key);
    },
    open: async (key) => {
      alive();
      return await lake.open(key);
    },
    write: (key, bytes, condition) => change(() => lake.write(key, bytes, condition), { key }),
    moveIn: (key, path, condition) => change(() => lake.moveIn(key, path, condition)),
    list: (prefix, after) => {
      alive();
      return lake.list(prefix, after);
    },
    remove: async (keys) => {
      if (keys.length === 0) return;
      await change(() => lake.remove(keys), {
        half: () => lake.remove(keys.slice(0, Math.ceil(keys.length / 2))),
      });
    },
    localPaths: async (keys) => {
      alive();
      return await lake.localPaths(keys);
    },
    scratch: async () => {
      alive();
      return await lake.scratch();
    },
  };
}
