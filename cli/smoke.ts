import type { Command } from 'commander';
import * as z from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError } from '#lib/errors.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { counted } from '#lib/text.ts';
import { deployedStack, invokeFunction } from './deployed.ts';
import { deployedAlarm } from './deployed-alarm.ts';
import { EXIT } from './exit.ts';
import { commandOf } from './options.ts';
import { queryAthena } from './query-athena.ts';
import { say } from './say.ts';
import { textTable } from './text-table.ts';
import { tryAlarm } from './try-alarm.ts';

/** Sources that are called in parallel: a new account may run 10 Lambdas. */
const ASKED_AT_ONCE = 5;
interface Tried {
  readonly what: string;
  readonly ok: boolean;
  /** What was seen, or what went wrong with its cure. */
  readonly says: string;
}

/** `smoke`: after a deployment, whether AWS reaches the APIs, an alarm sends, and Athena knows the tables. */
export function addSmoke(command: Command): void {
  commandOf(command, {}, async (options) => {
    const config = await readConfig(options.config);
    const { listFunction } = await deployedStack(config);
    const tried = [
      ...(await sideBySide(config.sources, ASKED_AT_ONCE, ({ name }) => askSource(name, listFunction))),
      await attempt('alarm', () => tryAlarm(config, deployedAlarm(config))),
      await attempt('query', () => queryAsReader(config)),
    ];
    const rows = tried.map(({ what, ok, says }) => [what, ok ? 'ok' : 'failed', says]);
    say(options.json ? { tried } : textTable(['', '', ''], rows));
    process.exitCode = tried.every(({ ok }) => ok) ? EXIT.complete : EXIT.failed;
  });
}

async function attempt(what: string, step: () => Promise<string>): Promise<Tried> {
  try {
    return { what, ok: true, says: await step() };
  } catch (error) {
    return { what, ok: false, says: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' };
  }
}

const asked = z.object({
  resource: z.string(),
  status: z.number().nullable(),
  refused: z.object({ code: z.string(), message: z.string() }).nullable(),
});

async function askSource(source: string, FunctionName: string): Promise<Tried> {
  return await attempt(`source ${source}`, async () => {
    const { resource, status, refused } = asked.parse(await invokeFunction(FunctionName, { smoke: source }));
    if (refused === null) return `${resource} answered ${status}`;
    throw new ExportError(refused);
  });
}

async function queryAsReader(config: Config): Promise<string> {
  const { rows } = await queryAthena(config, { sql: 'show tables' });
  return rows.length === 0
    ? `answered; no run has made tables yet`
    : `answered, ${counted(rows.length, 'table or view', 'tables and views')}`;
}
