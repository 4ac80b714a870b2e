import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { start } from '#lib/start/start.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { json, serve, type TestServer } from '../api/support/serve.ts';
import { cliProcess } from '../cli/support.ts';
import { drawn } from '../support/drawn.ts';
import { labFile, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { type StageProcesses, stageProcesses } from '../support/stage-processes.ts';

const NAMES = ['berlin', 'hostile', 'paris'] as const;
const IDS = [1, 2, 3, 4, 5, 6];
const MIB = 2 ** 20;

interface Way {
  readonly says: string;
  /** The code of the source's first failure. */
  readonly code: string;
  /** The listings that it has for itself; the others are as ever. */
  readonly listing: 'Players' | 'Screens';
  readonly answer: (response: ServerResponse, id: number, request: IncomingMessage) => void;
}

const members = (count: number, name: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, index]));
const levels = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;

/** Writes pieces until the other side has had enough. */
function endless(response: ServerResponse, piece: Buffer): void {
  const more = (): void => {
    while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', more);
  };
  more();
}

const WAYS: readonly Way[] = [
  {
    says: 'records of 5,000 members',
    code: 'RECORD_TOO_WIDE',
    listing: 'Players',
    answer: (response) => json(response, JSON.stringify(IDS.map((Id) => ({ Id, ...members(5000, 'm') })))),
  },
  {
    says: 'a value that is nested a million levels deep',
    code: 'BODY_TOO_DEEP',
    listing: 'Players',
    answer: (response) => json(response, `[{"Id":1,"Deep":${levels(1_000_000)}}]`),
  },
  {
    says: 'a gigabyte of blanks in a megabyte of gzip',
    code: 'BODY_TOO_LARGE',
    listing: 'Screens',
    answer: (response) => json(response, BOMB, { 'content-encoding': 'gzip' }),
  },
  {
    says: 'one record of 80 MB',
    code: 'RECORD_TOO_LARGE',
    listing: 'Players',
    answer: (response) => json(response, `[{"Id":1,"Name":"${'x'.repeat(80 * MIB)}"}]`),
  },
  {
    says: 'one record of 60 MB of empty lists',
    code: 'RECORD_TOO_LARGE',
    listing: 'Players',
    answer: (response) => json(response, `[{"Id":1,"Name":[${'[],'.repeat(20 * MIB)}1]}]`),
  },
  {
    says: 'a root of inherited names: one player, of the many of the day before',
    code: 'LISTING_SHRANK',
    listing: 'Players',
    answer: (response) => json(response, '{"__proto__":[{"Id":1}],"constructor":{"Id":2},"toString":3}'),
  },
  {
    says: 'a body without an end',
    code: 'BODY_TOO_LARGE',
    listing: 'Screens',
    answer: (response, id) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[{"Id":1}');
      endless(response, Buffer.from(`,{"Id":${id},"Text":"${'x'.repeat(500)}"}`.repeat(1000)));
    },
  },
  {
    says: 'headers without an end',
    code: 'CONNECTION_FAILED',
    listing: 'Players',
    answer: (response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const { socket } = response;
      for (let index = 0; index < 2000; index++) socket?.write(`x-header-${index}: ${'y'.repeat(500)}\r\n`);
      socket?.end('\r\n');
    },
  },
  {
    says: 'members that are data',
    code: 'TABLE_TOO_WIDE',
    listing: 'Screens',
    answer: (response, id) =>
      json(response, JSON.stringify([{ Id: id * 10, State: 'on', ...members(400, `of-${id}-`) }])),
  },
  {
    says: 'answers that break off',
    code: 'BODY_TRUNCATED',
    listing: 'Players',
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('[{"Id":1,', () => response.destroy());
    },
  },
  {
    says: 'a wait of two days',
    code: 'RATE_LIMITED',
    listing: 'Players',
    answer: (response) => response.writeHead(429, { 'retry-after': '172800' }).end(),
  },
];

const BOMB = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(16 * MIB, ' '))));

describe('with one of three sources hostile, under the memory of the Lambdas', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: TestServer;
  let processes: StageProcesses;
  let way: Way | undefined;
  let day = 10;
  const file = () => join(folder.path, 'export.config.json');
  const lake = () => folderLake(join(folder.path, 'lake'));

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await serve((request, response) => {
      const [, name = '', listing = '', id = '', child = ''] =
        /^\/(\w+)\/gv2\/webservices\/API\/v1\.12\/(\w+)(?:\/(\d+)\/(\w+))?/.exec(request.url ?? '') ?? [];
      const asked = child === '' ? listing : child;
      if (name === 'hostile' && way?.listing === asked) return way.answer(response, Number(id), request);
      const named = IDS.map((Id) => ({ Id, Name: `${name} ${Id}, day ${day}` }));
      const screens = [{ Id: Number(id) * 10, State: `day ${day}` }];
      json(response, JSON.stringify({ Players: named, Screens: screens }[asked] ?? []));
    });
    // As many calls at once as by default.
    const own = { secret: 'lab/key', concurrency: 8 };
    const fleets = Object.fromEntries(NAMES.map((name) => [name, own]));
    const { text } = labFile(server.url, { ...SIGNAGE_ALONE, fleets });
    await mkdir(join(folder.path, 'lake'));
    await writeFile(file(), text);
    const secrets = JSON.stringify({ 'lab/key': { apiKey: 'key-of-the-lab' } });
    await writeFile(join(folder.path, 'secrets.json'), secrets, { mode: 0o600 });
    processes = await stageProcesses(folder.path, parseConfig(text, file()));
  });
  afterAll(async () => {
    await processes[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const runTime = () => `2026-11-${day}T03:00:00Z`;
  const cli = (...args: string[]) => {
    const secrets = join(folder.path, 'secrets.json');
    return cliProcess(...args, '--config', file(), '--lake', lake().name, '--secrets', secrets);
  };

  async function run(): Promise<RunSummary> {
    const config = parseConfig(await readFile(file(), 'utf8'), file());
    const begun = await start(
      { scheduledTime: runTime() },
      { ...localServices(lake()), ...LOCAL_HOLDER, config },
    );
    if (begun.kind !== 'started') throw new Error(begun.kind);
    await interpret(begun.input, processes.handlers, { retryMs: 0 });
    return await readSummary(lake(), begun.input);
  }

  async function rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    using tables = await openTables(lake(), { sql });
    return (await tables.query(sql)).rows;
  }

  test('the first day is complete', async () => {
    expect(await run()).toMatchObject({ status: 'complete' });
  }, 120_000);

  test.each(drawn(WAYS))(
    '$says: $code',
    async (each) => {
      way = each;
      day += 1;
      const summary = await run();
      const [berlin, hostile, paris] = summary.sources;
      expect([berlin, paris]).toMatchObject([{ status: 'complete' }, { status: 'complete' }]);
      expect(hostile).toMatchObject({ status: 'failed', error: { code: each.code } });
      // The others are as this day has them; of the hostile one the rows of the listing stay as they were.
      const [table, column] = each.listing === 'Players' ? ['players', 'name'] : ['screens', 'state'];
      const counts = await rows(
        `select export_source, count(*), count(*) filter (ends_with(${column}, 'day ${day}')) from ${table} group by 1 order by 1`,
      );
      expect(counts).toEqual([
        ['berlin', 6, 6],
        ['hostile', 6, 0],
        ['paris', 6, 6],
      ]);
    },
    300_000,
  );

  test('the command line and the page name the hostile source, and what it did', async () => {
    const said = cli('run', '--backdate', '--run-time', runTime());
    expect(said.status, said.stderr).toBe(3);
    const status = cli('status');
    expect(status.stdout).toContain(WAYS.at(-1)?.code);
    expect(status.stdout).toContain('hostile');
    const out = join(folder.path, 'report.html');
    expect(cli('report', '--out', out).status).toBe(0);
    const page = await readFile(out, 'utf8');
    expect(page).toContain(WAYS.at(-1)?.code);
    expect(page).toContain('hostile');
  });

  test('no stage had more than its Lambda has', () => {
    const over = [...processes.peaks].filter(([, { peakMiB, memoryMiB }]) => peakMiB > memoryMiB);
    expect(over, JSON.stringify([...processes.peaks])).toEqual([]);
  });
});
