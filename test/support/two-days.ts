import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { runIdAt } from '#lib/run-id.ts';
import { type CommittedTables, committedTables } from './committed-tables.ts';
import type { ExportLab } from './export-lab.ts';

export const DAY_1 = '2026-11-20T03:00:00Z';
export const DAY_2 = '2026-11-21T03:00:00Z';
const atOnce = { random: () => 0 };

/** A lake of its own that two days of a lab were exported into. */
export type Exported = Pick<ExportLab, 'lake' | 'rows' | 'run'>;

export interface TwoDays extends AsyncDisposable {
  /** Two days exported; the second under the faults, or one of them by a role that may not write raw answers. */
  exported(faults?: string, unwritable?: string): Promise<Exported>;
  /** Exports while the simulator is at that day, from 0. */
  onDay(day: number, run: () => Promise<unknown>): Promise<void>;
}

/** Lakes of two days: each is exported once, and each test has a copy. */
export function twoDaysOf(lab: ExportLab): TwoDays {
  const tables: CommittedTables[] = [];
  /** Folders of lakes, by how their days went. */
  const kept = new Map<string, string>();
  let copies = 0;

  /** A lake in a folder of its own, with what is in that one. */
  const copyOf = async (folder: string | undefined): Promise<Exported> => {
    copies += 1;
    const own = join(lab.folder, `lake-${copies}`);
    if (folder !== undefined) await cp(folder, own, { recursive: true, preserveTimestamps: true });
    const lake = folderLake(own);
    const committed = committedTables(lake);
    tables.push(committed);
    return { lake, rows: committed.rows, run: (time, options) => lab.run(time, { ...options, lake }) };
  };
  const onDay = async (day: number, run: () => Promise<unknown>): Promise<void> => {
    const { simulator } = lab;
    const before = simulator.day;
    simulator.day = day;
    await run();
    simulator.day = before;
  };
  const firstDay = async (): Promise<string> => {
    const folder = kept.get('one day');
    if (folder !== undefined) return folder;
    const { lake } = await copyOf(undefined);
    await onDay(0, () => lab.run(DAY_1, { lake }));
    kept.set('one day', lake.name);
    return lake.name;
  };
  return {
    onDay,
    exported: async (faults = '', unwritable = '') => {
      const name = `two days, ${faults} ${unwritable}`;
      if (!kept.has(name)) {
        const { lake } = await copyOf(unwritable === DAY_1 ? undefined : await firstDay());
        const of = { ...atOnce, lake: withoutRaw(lake, unwritable) };
        if (unwritable === DAY_1) await onDay(0, () => lab.run(DAY_1, of));
        await lab.simulator.setFaults(faults);
        await onDay(1, () => lab.run(DAY_2, of));
        await lab.simulator.setFaults('');
        kept.set(name, lake.name);
      }
      return await copyOf(kept.get(name));
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of tables) await each[Symbol.asyncDispose]();
    },
  };
}

/** A lake that refuses list's writes in the run of that time, as if its role had lost the right. */
function withoutRaw(lake: Lake, day: string): Lake {
  return {
    ...lake,
    moveIn: async (key, path, condition) => {
      const parsed = parseKey(key);
      if (parsed?.kind === 'raw' && day !== '' && parsed.runId === runIdAt(new Date(day)))
        throw new Error('denied');
      await lake.moveIn(key, path, condition);
    },
  };
}
