import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { errno, UsageError } from '#lib/errors.ts';
import { counted } from '#lib/text.ts';
import { toTheSecond } from '#lib/time.ts';
import { parseFaults } from '#simulator/faults/spec.ts';
import { profileNamed } from '#simulator/profiles/table.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { startOfDay0 } from '#simulator/world/clock.ts';
import { INTERRUPTED } from './interrupts.ts';
import { commandOf, MOST_PLAYERS, many, option, text, wholeOption } from './options.ts';
import { commandLine } from './program-name.ts';
import { say } from './say.ts';
import {
  simulatedConfig,
  simulatedSecrets,
  type WrittenFiles,
  writeSimulatedConfig,
} from './simulated-config.ts';

/** `simulate`: both APIs as a server, until it is stopped. */
export function addSimulate(command: Command): void {
  commandOf(command, OPTIONS, async (options) => {
    checked(() => profileNamed(options.profile));
    for (const fault of options.fault) checked(() => parseFaults(fault));
    const startDate = startOfDay0(options.start, new Date());
    const simulator = await startSimulator({
      ...options,
      startDate,
      latencyMs: options.latency,
      faults: options.fault.join(','),
    }).catch((error: unknown) => {
      throw portError(error, options.port) ?? error;
    });
    const { url, secrets } = simulator;
    const stop = (signal: NodeJS.Signals) => {
      if (signal === 'SIGINT') process.exitCode = INTERRUPTED;
      void simulator.close();
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const { writeConfig: folder } = options;
    const written =
      folder === undefined
        ? undefined
        : await writeSimulatedConfig(folder, simulator).catch(async (error: unknown) => {
            await simulator.close();
            throw error;
          });
    if (options.json)
      return say({ url, secrets, start: startDate, day: options.day, ...(written && { written }) });
    const lines = [
      `Both APIs are at ${url} (${counted(options.players, 'player')}, profile ${options.profile}); stop with Ctrl-C.`,
      `The clock is at ${toTheSecond(simulator.world.at(options.day).now)} and does not move: run against it within hours.`,
      `For the same world a day later, add --start ${startDate} --day ${options.day + 1}.`,
      '',
      ...(written === undefined ? toPaste(simulator) : goOn(folder ?? '', written)),
    ];
    say(lines.join('\n'));
  });
}

const error = 'a day from 2000 to 2099 such as 2026-11-20, or a moment such as 2026-11-20T03:00:00Z';
const start = z
  .union([z.iso.date(), z.iso.datetime({ precision: 0 })], { error })
  .refine((text) => text.startsWith('20'), { error });

const OPTIONS = {
  players: option('--players <n>', 'number of players', wholeOption(0, MOST_PLAYERS), '210'),
  profile: option('--profile <profile>', 'the dialect of the answers', z.string(), 'reference'),
  fault: many('--fault <fault>', 'a fault such as 500:0.05 (may be repeated)'),
  seed: option('--seed <n>', 'the same seed makes the same world', wholeOption(0, 0xffff_ffff), '1'),
  port: option('--port <n>', '0 = any free port', wholeOption(0, 65_535), '8080'),
  start: option(
    '--start <time>',
    'the moment of day 0, such as 2026-11-20 or 2026-11-20T03:00:00Z; the default is this hour',
    start.optional(),
  ),
  day: option('--day <n>', 'the time of its clock, in days after day 0', wholeOption(0, 3650), '0'),
  latency: option('--latency <ms>', 'delay of every answer', wholeOption(0, 600_000), '0'),
  writeConfig: text(
    '--write-config <folder>',
    'write export.config.json and secrets.json for it into that folder',
  ),
};

function toPaste(simulator: Simulator): readonly string[] {
  return [
    'export.config.json:',
    JSON.stringify(simulatedConfig(simulator.url), null, 2),
    '',
    'secrets.json:',
    JSON.stringify(simulatedSecrets(simulator), null, 2),
    '',
    '--write-config FOLDER writes both.',
  ];
}

function goOn(folder: string, { config, secrets }: WrittenFiles): readonly string[] {
  const words = ['run', '--config', config, '--secrets', secrets, '--lake', join(folder, 'lake')];
  return [`Wrote ${config} and ${secrets}. Go on, in another terminal, with:`, `  ${commandLine(words)}`];
}

/** The simulator's errors begin with `profile` or `fault`, which is also the option's name. */
function checked(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`, 'CONFIG_INVALID', error);
  }
}

function portError(error: unknown, port: number): UsageError | undefined {
  const code = errno(error);
  const fault = code === 'EADDRINUSE' ? 'taken' : code === 'EACCES' ? 'not allowed' : undefined;
  if (fault === undefined) return undefined;
  const cure = `${fault === 'taken' ? 'stop what listens there, or name' : 'name'} another, 0 for any free one`;
  return new UsageError(`--port ${port} is ${fault}: ${cure}.`, 'CONFIG_INVALID', error);
}
