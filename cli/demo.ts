import { rm } from 'node:fs/promises';
import { parseConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { DAY_MS } from '#lib/time.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { openLake } from './local-services.ts';
import { commandOf, MOST_PLAYERS, option, wholeOption } from './options.ts';
import { printRows } from './print-rows.ts';
import { printRun } from './print-run.ts';
import { nextCommand } from './program-name.ts';
import { ask } from './query.ts';
import { exportHere } from './run-locally.ts';
import { say } from './say.ts';
import { simulatedConfig } from './simulate.ts';

/** Simulated days: a month is enough to see a trend, and every day takes a run. */
const MOST_DAYS = 31;

const OPTIONS = {
  players: option('<n>', 'number of players', wholeOption(0, MOST_PLAYERS), '210'),
  days: option('<n>', 'number of days, each with a run at 3:00 UTC', wholeOption(1, MOST_DAYS), '2'),
};

export const addDemo = commandOf(OPTIONS, async (options) => {
  const folder = options.lake === './lake' ? './out' : options.lake;
  const lake = await openLake(folder);
  await clearDemo(lake, folder);
  const today = new Date().setUTCHours(3, 0, 0, 0);
  // No run is still to come.
  const last = today > Date.now() ? today - DAY_MS : today;
  const first = last - (options.days - 1) * DAY_MS;
  const startDate = new Date(first).toISOString().slice(0, 10);
  const simulator = await startSimulator({ players: options.players, startDate });
  try {
    for (let day = 0; day < options.days; day++) {
      simulator.day = day;
      const summary = await runDay(lake, simulator, new Date(first + day * DAY_MS));
      printRun(summary, { json: options.json, lake: folder });
    }
  } finally {
    await simulator.close();
  }
  if (!options.json) await showAnswers(lake, folder);
});

/** Removes the lake of an earlier demo. Throws UsageError if the folder holds another lake. */
async function clearDemo(lake: Lake, folder: string): Promise<void> {
  const head = (await readHead(lake))?.head;
  if (head === undefined) return;
  if (!head.sources.every((name) => /^demo-(signage|backup)$/.test(name)))
    throw new UsageError(
      `${folder} holds a lake that no demo made, so it is left alone: name another folder with --lake.`,
    );
  await rm(folder, { recursive: true, force: true });
}

async function runDay(lake: Lake, { url, secrets: held }: Simulator, time: Date): Promise<RunSummary> {
  const own = simulatedConfig(url);
  const sources = own.sources.map((each) => ({
    ...each,
    name: `demo-${each.name}`,
    requestsPerSecond: null,
  }));
  const config = parseConfig(JSON.stringify({ ...own, sources }), 'the demo config');
  const secrets = { read: async (name: string) => (name === 'sim/backup' ? held.backup : held.signage) };
  // The run has the time of the simulator's clock: with today's time, every screen of yesterday looks dead.
  const began = Date.now();
  const now = () => new Date(time.getTime() + Date.now() - began);
  return await exportHere({ scheduledTime: time.toISOString() }, { config, lake, secrets, now });
}

/** Questions that an operator asks on the first day. */
export const DEMO_QUESTIONS = [
  {
    question:
      'Which screens have been off or silent for longest? (A screen that has reported nothing for 8 hours is stale.)',
    sql: `
      select player_name as player, screen, state, since
      from screen_status
      where state in ('off', 'stale')
      order by since nulls last, player, screen
      limit 5`,
  },
  {
    question: 'Which players have the most pending transfers?',
    sql: `
      select player_name as player, transfer_status, pending
      from stuck_transfers
      order by pending desc, player
      limit 5`,
  },
  {
    question: 'How many licences are left?',
    sql: `
      select type, total_count as total, available_count as left_over
      from licenses
      order by available_count, type`,
  },
] as const;

async function showAnswers(lake: Lake, folder: string): Promise<void> {
  using tables = await openTables(lake);
  for (const { question, sql } of DEMO_QUESTIONS) {
    say(`\n${question}\n`);
    try {
      printRows(await ask(tables, sql), { format: undefined });
    } catch (error) {
      // Few players may lack what a view needs.
      if (!(error instanceof UsageError)) throw error;
      say(`Not to be answered: ${error.message.split('\n')[0]}`);
    }
  }
  say(`
The lake is in ${folder}: raw/ has every answer as it came, lake.duckdb has every table and view for any DuckDB client.
Go on with:
  ${nextCommand(['status'], { lake: folder })}
  ${nextCommand(['query', 'select * from changes limit 10'], { lake: folder })}
  ${nextCommand(['simulate', '--write-config', './lab'], {})}
For an installation of your own:
  ${nextCommand(['init'], {})}`);
}
