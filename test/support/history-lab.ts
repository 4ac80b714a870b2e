import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSummary } from '#lib/run/summary.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { cliProcess } from '../cli/support.ts';
import { labConfig, SIGNAGE_ALONE } from './export-lab.ts';
import { type Routes, SIGNAGE, signageLab } from './fixture-lab.ts';
import { operatorOf } from './runs.ts';
import { type DuckDbStage, TIGHT_MIB, tightRun } from './tight-run.ts';

/** The sources. Only the answers of `hostile` have a text that the config hides. */
export const NAMES = ['berlin', 'hostile', 'paris'] as const;

/** What a source's answer had on a day: its totals, and a text that no table shows, but raw holds. */
export interface Day {
  readonly totals: Readonly<Record<(typeof NAMES)[number], readonly string[]>>;
  readonly hidden?: string;
}

export const same = (...totals: string[]): Day['totals'] => ({
  berlin: totals,
  hostile: totals,
  paris: totals,
});

function routesOf({ totals, hidden = '' }: Day): Routes {
  const routes: Record<string, { body: string }> = {};
  for (const name of NAMES) {
    const api = `/${name}${SIGNAGE}`;
    const note = name === 'hostile' ? hidden : '';
    const groups = totals[name].map(
      (total, index) =>
        `{"Id":${index},"Seen":"a","Seen":"b","Total":${total},"Hidden":${JSON.stringify(index === 0 ? note : '')}}`,
    );
    routes[`${api}/AppGroups`] = { body: `[${groups.join(',')}]` };
    routes[`${api}/Players`] = { body: '[{"Id":1}]' };
  }
  return routes;
}

export interface HistoryRun {
  /** A stage that has little memory. @default none */
  readonly tight?: DuckDbStage;
  /** The sources that are called. @default all */
  readonly sources?: readonly string[];
  /** What the config says of columns. */
  readonly columns?: object;
  /** Bytes of raw that one piece of work may copy, as where the lake is elsewhere. @default all */
  readonly room?: number;
}

/** A lake and three sources, whose groups have totals, and a text that no table shows, but raw holds. */
export async function historyLab() {
  const settings = (columns: object) => {
    const own = { resources: { app_groups: { drop: ['Hidden'], columns } } };
    return { ...SIGNAGE_ALONE, fleets: Object.fromEntries(NAMES.map((name) => [name, own])) };
  };
  const lab = await signageLab({}, settings({}));
  const { lake, server, written } = lab;
  const file = join(lab.folder, written.file);
  const rows = async (sql: string) => {
    using tables = await openTables(lake);
    return (await tables.query(sql)).rows;
  };
  return {
    folder: lab.folder,
    rows,
    /** The totals of a day by source, with their export date. */
    daily: (source: string) =>
      rows(
        `select export_date, record_key, total, export_run_id from app_groups_daily where export_source = '${source}' order by all`,
      ),
    rejects: () =>
      rows('select export_date, export_source, record_key, raw_value, reason from rejects order by all'),
    lake,
    services: operatorOf(lab, { memoryLimitMiB: TIGHT_MIB, threads: 1 }),
    run: (
      scheduledTime: string,
      day: Day,
      { tight, sources, columns = {}, room }: HistoryRun = {},
    ): Promise<RunSummary> => {
      lab.answer(routesOf(day));
      const copies = room === undefined ? {} : { copies: { room: async () => room, drop: async () => {} } };
      return tightRun({
        lake: { ...lake, ...copies },
        config: labConfig(server.url, settings(columns)),
        scheduledTime,
        sources,
        tight: tight === undefined ? [] : [tight],
      });
    },
    cli: async (...args: readonly string[]) => {
      await writeFile(file, written.text);
      return cliProcess(...args, '--config', file, '--lake', lake.name);
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}
