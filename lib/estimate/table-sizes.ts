import type { Config } from '../config/config.ts';
import type { Schedule } from '../config/schedule.ts';
import { TABLES } from '../schema/tables.ts';
import { RESOURCES } from '../sources/resources.ts';
import type { SourceSize } from './run-counters.ts';

/** Bytes of a table's rows of one parent and day, compressed: twice the simulator's. */
const BYTES_A_PARENT: Readonly<Record<string, number>> = {
  ...{ players: 80, screens: 36, pending_file_transfers: 130, backup_storages: 70, backup_slots: 190 },
  ...{ outcomes: 10, changes: 165 },
};
/** Bytes of a file without rows, or with the few rows of a listing that does not grow. */
const FILE_BYTES = 4000;
/** Records below a player that BYTES_A_PARENT assumes. */
const USUAL_RECORDS = 5;
/** Days that are kept for ever count as after a year. */
const YEAR_DAYS = 365;

export interface TableSizesOptions {
  readonly config: Pick<Config, 'dailyRetentionDays'>;
  readonly schedule: Pick<Schedule, 'runsAMonth'>;
  readonly sizes: readonly SourceSize[];
  /** Records below a parent, all its child listings together. */
  readonly recordsPerParent: number;
}

/** Bytes of each table on a day, by its name. Tables without a source in the config have none. */
export function dayBytes({
  sizes,
  recordsPerParent,
}: Pick<TableSizesOptions, 'sizes' | 'recordsPerParent'>): ReadonlyMap<string, number> {
  const parentsOf = (kind: string | undefined) =>
    sizes.filter(({ source }) => kind === undefined || source.kind === kind).map(({ parents }) => parents);
  return new Map(
    TABLES.flatMap(({ name }) => {
      const resource = RESOURCES.find((each) => each.name === name);
      const parents = parentsOf(resource?.kind);
      if (parents.length === 0) return [];
      const share = resource?.parent == null ? 1 : recordsPerParent / USUAL_RECORDS;
      const rows = parents.reduce((sum, each) => sum + each, 0) * (BYTES_A_PARENT[name] ?? 0) * share;
      return [[name, FILE_BYTES + rows] as const];
    }),
  );
}

/** Days of the full daily tables: only days with a run count. Days kept for ever count as `forEver` days. */
export function keptDays(
  { config, schedule }: Pick<TableSizesOptions, 'config' | 'schedule'>,
  forEver: number,
): number {
  return config.dailyRetentionDays ?? Math.min(1, schedule.runsAMonth / 30) * forEver;
}

/**
 * Bytes of each table in Athena, by its name, once its days are full: after the retention, or after a year if
 * days are kept for ever.
 */
export function tableSizes(options: TableSizesOptions): ReadonlyMap<string, number> {
  const days = keptDays(options, YEAR_DAYS);
  const onlyDays = new Set(TABLES.flatMap(({ name, onlyDays }) => (onlyDays ? [name] : [])));
  return new Map(
    [...dayBytes(options)].flatMap(([name, bytes]) =>
      onlyDays.has(name)
        ? [[name, bytes * days]]
        : [
            [name, bytes],
            [`${name}_daily`, bytes * days],
          ],
    ),
  );
}
