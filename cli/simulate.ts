import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { errno, instead, UsageError } from '#lib/errors.ts';
import { makeFolders } from '#lib/make-folders.ts';
import { counted } from '#lib/text.ts';
import { toTheSecond } from '#lib/time.ts';
import { parseFaults } from '#simulator/faults/spec.ts';
import { profileNamed } from '#simulator/profiles/table.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { startOfDay0 } from '#simulator/world/clock.ts';
import { INTERRUPTED } from './interrupts.ts';
import { commandOf, MOST_PLAYERS, many, option, text, wholeOption } from './options.ts';
import { nextCommand } from './program-name.ts';
import { tell } from './say.ts';

const error = 'a day from 2000 to 2099 such as 2026-11-20, or a moment such as 2026-11-20T03:00:00Z';
const start = z
  .union([z.iso.date(), z.iso.datetime({ precision: 0 })], { error })
  .refine((text) => text.startsWith('20'), { error });

const OPTIONS = {
  players: option('<n>', 'number of players', wholeOption(0, MOST_PLAYERS), '210'),
  profile: option('<profile>', 'the dialect of the answers', z.string(), 'reference'),
  fault: many('<fault>', 'a fault such as 500:0.05 (may be repeated)'),
  seed: option('<n>', 'the same seed makes the same world', wholeOption(0, 0xffff_ffff), '1'),
  port: option('<n>', '0 = any free port', wholeOption(0, 65_535), '8080'),
  start: option(
    '<time>',
    'the moment of day 0, such as 2026-11-20 or 2026-11-20T03:00:00Z; the default is this hour',
    start.optional(),
  ),
  day: option('<n>', 'the time of its clock, in days after day 0', wholeOption(0, 3650), '0'),
  latency: option('<ms>', 'delay of every answer', wholeOption(0, 600_000), '0'),
  writeConfig: text('<folder>', 'write export.config.json and secrets.json for it into that folder'),
};

export const addSimulate = commandOf(OPTIONS, async (options) => {
  const { players, profile, fault, port, day, writeConfig: folder } = options;
  refusing(() => profileNamed(profile));
  for (const each of fault) refusing(() => parseFaults(each));
  const start = startOfDay0(options.start, new Date());
  const given = { ...options, startDate: start, latencyMs: options.latency, faults: fault.join(',') };
  const simulator = await startSimulator(given).catch((error: unknown) => {
    const found = PORT_FAULTS[errno(error) ?? ''];
    const says = `--port ${port} is ${found} another, 0 for any free one.`;
    throw found === undefined ? error : new UsageError(says, 'CONFIG_INVALID', error);
  });
  const { url, secrets } = simulator;
  const stop = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT') process.exitCode = INTERRUPTED;
    void simulator.close();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const closed = async (error: unknown) => {
    await simulator.close();
    throw error;
  };
  const written = folder && (await writeSimulatedConfig(folder, simulator).catch(closed));
  const lines = [
    `Both APIs are at ${url} (${counted(players, 'player')}, profile ${profile}); stop with Ctrl-C.`,
    `The clock is at ${toTheSecond(simulator.world.at(day).now)} and does not move: run against it within hours.`,
    `For the same world a day later, add --start ${start} --day ${day + 1}.`,
    '',
    !written
      ? '--write-config FOLDER writes export.config.json and secrets.json for it into that folder.'
      : `Wrote ${written.config} and ${written.secrets}. Go on, in another terminal, with:\n  ${nextCommand(['run'], written)}`,
  ];
  tell(options, { url, secrets, start, day, ...(written && { written }) }, lines.join('\n'));
});

/** The simulator's errors begin with `profile` or `fault`, which is also the option's name. */
function refusing(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`, 'CONFIG_INVALID', error);
  }
}

const PORT_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'taken: stop what listens there, or name',
  EACCES: 'not allowed: name',
};

/** The simulator returns all records, whatever their number: nobody has to ask whether 100 are all. */
const ALL = { complete: true };

export function simulatedConfig(url: string) {
  return {
    name: 'signage',
    schedule: 'cron(0 3 * * ? *)',
    timeZone: 'Europe/Berlin',
    sources: [
      {
        ...{ name: 'signage', kind: 'signage', baseUrl: url, secret: 'sim/signage' },
        resources: { players: ALL, app_groups: ALL, licenses: ALL },
      },
      {
        ...{ name: 'backup', kind: 'backup', baseUrl: url, accountId: '1042', secret: 'sim/backup' },
        requestsPerSecond: null,
        resources: { backup_storages: ALL, backup_pricing: ALL },
      },
    ],
  };
}

/** Writes a simulator's config and secrets into a folder. Throws UsageError FILE_EXISTS if others are there. */
export async function writeSimulatedConfig(folder: string, { url, secrets: own }: Simulator) {
  const config = join(folder, 'export.config.json');
  const secrets = join(folder, 'secrets.json');
  try {
    makeFolders(folder);
    await writeOwn(config, simulatedConfig(url));
    await writeOwn(secrets, { 'sim/signage': own.signage, 'sim/backup': own.backup });
    await chmod(secrets, 0o600);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const says = `--write-config ${folder} cannot be written (${errno(cause)}): name a folder that this user may write.`;
    throw new UsageError(says, 'CONFIG_NOT_WRITTEN', cause);
  }
  return { config, secrets, lake: join(folder, 'lake') };
}

/** A file of an earlier simulator is replaced, because its port may differ; any other stays. */
async function writeOwn(file: string, value: object): Promise<void> {
  const found = await readFile(file, 'utf8').catch(instead((error) => errno(error) === 'ENOENT', undefined));
  const says = `${file} is there already and no simulator wrote it, so it is left alone: name another folder.`;
  if (found !== undefined && !found.includes('"sim/signage"')) throw new UsageError(says, 'FILE_EXISTS');
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
