import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startService } from '../../support/service.ts';
import type { Day, Table, Value } from './fleet.ts';
import { nodeServers, pythonServers } from './installed.ts';

/** A server of a framework that we did not write, with only the glue that serves the fleet. */
export interface StockServer {
  readonly name: string;
  readonly start: Program;
  /** Where each listing is; the only settings that every operator has to write. */
  readonly paths: Readonly<Record<Table, string>>;
  /** What it says in place of an id, and of a value; itself where it is left out. */
  readonly id?: (id: number) => string;
  readonly says?: (value: Value) => Value;
  /** Fields that it does not serve. */
  readonly lacks?: Partial<Readonly<Record<Table, readonly string[]>>>;
  /** What tells the records of a table apart; `id` where it is left out. */
  readonly keys?: Partial<Readonly<Record<Table, string>>>;
}

/** What is run to serve the data of a file, with a folder of its own. */
export type Program = (given: {
  readonly port: number;
  readonly data: string;
  readonly folder: string;
}) => Promise<{ readonly command: string; readonly args: readonly string[] }>;

const APPS = join(import.meta.dirname, '..', 'apps');

/** A file of apps/ in Python. */
export function python(app: string, ...variant: readonly string[]): Program {
  return async ({ port, data, folder }) => ({
    command: await pythonServers(),
    args: ['-u', '-W', 'ignore', join(APPS, app), String(port), data, folder, ...variant],
  });
}

/** A file of apps/ for Node. */
export function node(app: string): Program {
  return async ({ port, data, folder }) => ({
    command: process.execPath,
    args: [join(APPS, app), String(port), data, folder, await nodeServers()],
  });
}

/** A program of a package of npm/, which serves the file as it is. */
export function program(path: string, ...options: readonly string[]): Program {
  return async ({ port, data }) => ({
    command: process.execPath,
    args: [join(await nodeServers(), 'node_modules', path), '--port', String(port), ...options, data],
  });
}

/** The server while it serves that day. */
export async function serve(server: StockServer, day: Day) {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-servers-'));
  const data = join(folder, 'data.json');
  await writeFile(data, JSON.stringify(day));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    ...(await server.start({ port, data, folder })),
    cwd: folder,
    isReady: async () => (await fetch(`${url}${server.paths.licenses}`)).status < 500,
    patienceMs: 60_000,
  });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
