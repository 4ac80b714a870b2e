import * as z from 'zod';
import { ExportError } from '../errors.ts';
import { readHead } from '../lake/head.ts';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import { counted } from '../text.ts';
import { HOUR_MS } from '../time.ts';

export interface Punctuality {
  readonly lake: Lake;
  readonly now: Date;
  /** The next commit is due so many hours after one. */
  readonly lateAfterHours: number;
}

/**
 * Throws RUN_LATE if the newest commit is older than the schedule allows. Before the first commit, if it is as long ago that
 * this was asked first: an installation is not late on the day when it is deployed.
 */
export async function refuseLate({ lake, now, lateAfterHours }: Punctuality): Promise<void> {
  const head = (await readHead(lake))?.head;
  const from = head === undefined ? await firstLook(lake, now) : head.committedAt;
  const hours = (now.getTime() - Date.parse(from)) / HOUR_MS;
  if (hours <= lateAfterHours) return;
  const said =
    head === undefined
      ? `Nothing was ever committed since ${from}, ${counted(Math.floor(hours), 'hour')} ago, when somebody first looked,`
      : `The newest commit, of run ${head.runId}, is ${counted(Math.floor(hours), 'hour')} old,`;
  throw new ExportError({
    code: 'RUN_LATE',
    message: `${said} but a commit was due within ${lateAfterHours}: look at \`status --deployed\`.`,
  });
}

const looked = z.object({ since: z.iso.datetime() });

/** When a lake without a commit was first looked at, in ISO; noted now if never. */
async function firstLook(lake: Lake, now: Date): Promise<string> {
  const key = lakeKey('watch');
  const since = now.toISOString();
  try {
    await lake.write(key, Buffer.from(JSON.stringify({ since })), { absent: true });
    return since;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  const stored = await lake.read(key);
  return stored === undefined ? since : looked.parse(JSON.parse(stored.bytes.toString('utf8'))).since;
}
