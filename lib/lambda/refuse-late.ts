import { HOUR_MS } from '../day-ms.ts';
import { ExportError } from '../errors.ts';
import { readHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';

export interface Punctuality {
  readonly lake: Lake;
  readonly now: Date;
  /** The next commit is due so many hours after one. */
  readonly lateAfterHours: number;
}

/** Throws RUN_LATE if the newest commit is older than the schedule allows. Before the first commit it never throws. */
export async function refuseLate({ lake, now, lateAfterHours }: Punctuality): Promise<void> {
  const head = (await readHead(lake))?.head;
  if (head === undefined) return;
  const hours = (now.getTime() - Date.parse(head.committedAt)) / HOUR_MS;
  if (hours <= lateAfterHours) return;
  throw new ExportError({
    code: 'RUN_LATE',
    message: `The newest commit, of run ${head.runId}, is ${Math.floor(hours)} hours old, but a commit was due within ${lateAfterHours}: look at \`status --deployed\`.`,
  });
}
