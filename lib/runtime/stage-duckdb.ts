import type { Scratch } from '../lake/lake.ts';
import { createDuckDb, type DuckDb, type DuckDbInstance, openDuckDb } from './duckdb.ts';
import type { Services } from './services.ts';

/** DuckDB for one piece of work: a connection to the one that the process shares, or one of its own. */
export function openStageDb(services: Services, scratch: Scratch): Promise<DuckDb> {
  return services.duckDb?.() ?? openDuckDb(optionsOf(services, scratch));
}

/** The DuckDB of a process that runs all stages of a lake: opened when first asked for, which takes 40 ms each time. */
export function sharedDuckDb(
  services: Services,
): AsyncDisposable & { readonly connect: () => Promise<DuckDb> } {
  const { lake } = services;
  let opened: Promise<{ readonly scratch: Scratch; readonly instance: DuckDbInstance }> | undefined;
  async function open() {
    const scratch = await lake.scratch();
    try {
      return { scratch, instance: await createDuckDb(optionsOf(services, scratch)) };
    } catch (error) {
      await scratch[Symbol.asyncDispose]();
      throw error;
    }
  }
  /** An instance that is closed while a connection to it is made brings the process down. */
  const connecting = new Set<Promise<DuckDb>>();
  return {
    connect: async () => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const made = opened.then(({ instance }) => instance.connect());
      connecting.add(made);
      return await made.finally(() => connecting.delete(made));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(connecting);
      if (opened === undefined) return;
      const { scratch, instance } = await opened;
      instance[Symbol.dispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

function optionsOf({ lake, memoryLimitMiB, threads }: Services, scratch: Scratch) {
  return { memoryLimitMiB, threads, folders: [...lake.folders, scratch.path], spillTo: scratch.path };
}
