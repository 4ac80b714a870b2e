import { join } from 'node:path';
import { runLocally } from '#cli/run-locally.ts';
import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import type { Secret, SecretStore } from '#lib/config/secrets.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { ApiServices, ProgressEvent } from '#lib/runtime/services.ts';
import { signage } from '#lib/sources/signage.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { committedTables } from './committed-tables.ts';
import { labServices } from './lab-services.ts';
import { temporaryFolder } from './lake-children.ts';

export type ExportLab = Awaited<ReturnType<typeof exportLab>>;

export interface RunOptions {
  readonly config?: Config;
  readonly sources?: string[];
  readonly acceptShrink?: string[];
  readonly onProgress?: (event: ProgressEvent) => void;
  /** In place of the lab's. */
  readonly lake?: Lake;
  readonly secrets?: SecretStore;
  /** 0 = no wait before a retry. */
  readonly random?: () => number;
  /** Replaces the services of a laptop, with which the run is made otherwise. */
  readonly services?: (local: ApiServices) => ApiServices;
}

/** What is put over the settings of a lab; a kind that is null has no source. */
export interface LabSettings {
  readonly signage?: object;
  readonly backup?: object | null;
  /** Signage sources in place of berlin, each below a path of its name. */
  readonly fleets?: Readonly<Record<string, object>>;
  /** Backup sources in place of vault, each below a path of its name. */
  readonly vaults?: Readonly<Record<string, object>>;
  readonly config?: object;
}

/** For a lab whose test asks for nothing of the backup kind: its tables take a third of the time of a run. */
export const SIGNAGE_ALONE: LabSettings = { backup: null };

/** A simulator, a lake in a temporary folder, and a config that exports one into the other at full speed. */
export async function exportLab(
  options: Parameters<typeof startSimulator>[0] = {},
  settings: LabSettings = {},
) {
  const simulator = await startSimulator(options);
  const place = await labAt(simulator, settings);
  return {
    ...place,
    simulator,
    /** One run at that time, such as `2026-11-20T03:00:00Z`. */
    run: async (runTime: string, run: RunOptions = {}) => {
      const at = { lake: run.lake ?? place.lake, ...(run.onProgress && { onProgress: run.onProgress }) };
      await using services = labServices(at, run.secrets ?? labSecrets(simulator), run.random);
      const { sources, acceptShrink } = run;
      return await runLocally(
        { scheduledTime: runTime, ...(sources && { sources }), ...(acceptShrink && { acceptShrink }) },
        { ...(run.services?.(services) ?? services), config: run.config ?? place.config },
      );
    },
  };
}

/** A lake in a temporary folder, or elsewhere, and a config that exports a server into it. The folder and the server end with the lab. */
export async function labAt(
  server: { readonly url: string; readonly close: () => Promise<unknown> },
  settings: LabSettings,
  elsewhere?: Lake,
) {
  const folder = await temporaryFolder();
  const lake = elsewhere ?? folderLake(join(folder.path, 'lake'));
  const written = labFile(server.url, settings);
  const tables = committedTables(lake);
  return {
    ...{ folder: folder.path, lake, written, config: parseConfig(written.text, written.file) },
    ...{ query: tables.query, rows: tables.rows, flat: tables.flat },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await tables[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A config with a signage and a backup source at one origin, without limits of their own. */
export function labConfig(url: string, settings: LabSettings = {}): Config {
  const { text, file } = labFile(url, settings);
  return parseConfig(text, file);
}

/** The same as a file would have it. */
export function labFile(url: string, settings: LabSettings = {}) {
  return { text: `${JSON.stringify(labSettings(url, settings), null, 2)}\n`, file: 'lab.config.json' };
}

/** The same as it is in a file. */
export function labSettings(url: string, settings: LabSettings = {}): object {
  const fast = { baseUrl: url, concurrency: 50, requestsPerSecond: null };
  const berlin = { name: 'berlin', kind: 'signage', secret: 'lab/berlin', ...fast, ...settings.signage };
  const fleets = Object.entries(settings.fleets ?? {}).map(([name, own]) => {
    return { ...berlin, name, basePath: `/${name}${signage.defaults.basePath}`, ...own };
  });
  const signages = settings.fleets === undefined ? [berlin] : fleets;
  const vault = { name: 'vault', kind: 'backup', accountId: '1042', secret: 'lab/vault', ...fast };
  const vaults = Object.entries(settings.vaults ?? {}).map(([name, own]) => {
    return { ...vault, name, basePath: `/${name}`, ...own };
  });
  const backups = settings.vaults === undefined ? [{ ...vault, ...settings.backup }] : vaults;
  return {
    name: 'lab',
    schedule: 'cron(0 3 * * ? *)',
    timeZone: 'Europe/Berlin',
    sources: settings.backup === null ? signages : [...signages, ...backups],
    ...settings.config,
  };
}

/** The simulator's secrets by the names of `labConfig`. */
export function labSecrets(simulator: Simulator): { read(name: string): Promise<Secret> } {
  return {
    read: async (name) => (name === 'lab/vault' ? simulator.secrets.backup : simulator.secrets.signage),
  };
}
