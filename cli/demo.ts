import { rm } from 'node:fs/promises';
import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { DAY_MS } from '#lib/time.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { DEMO_QUESTIONS } from './demo-questions.ts';
import { EXIT } from './exit.ts';
import { openLake } from './local-services.ts';
import { commandOf, MOST_PLAYERS, option, wholeOption } from './options.ts';
import { printRows } from './print-rows.ts';
import { printRun } from './print-run.ts';
import { commandLine } from './program-name.ts';
import { ask } from './query.ts';
import { exportHere } from './run-locally.ts';
import { say } from './say.ts';
import { simulatedConfig } from './simulated-config.ts';

/** Simulated days: a month is enough to see a trend, and every day takes a run. */
const MOST_DAYS = 31;
/** The demo's own folder, unless --lake names another. */
const OUT = './out';

const OPTIONS = {
  players: option('--players <n>', 'number of players', wholeOption(0, MOST_PLAYERS), '210'),
  days: option('--days <n>', 'number of days, each with a run at 3:00 UTC', wholeOption(1, MOST_DAYS), '2'),
};

export const addDemo = commandOf(OPTIONS, async (options) => {
  const folder = options.lake === './lake' ? OUT : options.lake;
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
  process.exitCode = EXIT.complete;
});

const SOURCES: readonly string[] = ['demo-signage', 'demo-backup'];

/** Removes the lake of an earlier demo. Throws UsageError if the folder holds another lake. */
async function clearDemo(lake: Lake, folder: string): Promise<void> {
  const head = (await readHead(lake))?.head;
  if (head === undefined) return;
  if (head.sources.some((name) => !SOURCES.includes(name)))
    throw new UsageError(
      `${folder} holds a lake that no demo made, so it is left alone: name another folder with --lake.`,
    );
  await rm(folder, { recursive: true, force: true });
}

function demoConfig(url: string): Config {
  const example = simulatedConfig(url);
  const sources = example.sources.map((source, index) => ({
    ...{ ...source, name: SOURCES[index], requestsPerSecond: null },
  }));
  return parseConfig(JSON.stringify({ ...example, sources }), 'the demo config');
}

async function runDay(lake: Lake, simulator: Simulator, time: Date): Promise<RunSummary> {
  const { backup, signage } = simulator.secrets;
  const secrets = { read: async (name: string) => (name === 'sim/backup' ? backup : signage) };
  // The run has the time of the simulator's clock: with today's time, every screen of yesterday looks dead.
  const began = Date.now();
  const now = () => new Date(time.getTime() + Date.now() - began);
  const config = demoConfig(simulator.url);
  return await exportHere({ scheduledTime: time.toISOString() }, { config, lake, secrets, now });
}

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
  const line = (...words: readonly string[]) => `  ${commandLine(words)}`;
  say(
    [
      '',
      `The lake is in ${folder}: raw/ has every answer as it came, lake.duckdb has every table and view for any DuckDB client.`,
      'Go on with:',
      line('status', '--lake', folder),
      line('query', 'select * from changes limit 10', '--lake', folder),
      line('simulate', '--write-config', './lab'),
      'For an installation of your own:',
      line('init'),
    ].join('\n'),
  );
}
