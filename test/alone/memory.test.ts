import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { CHILD_RECORD_BYTES } from '#lib/api/limits.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { json, serve } from '../api/support/serve.ts';
import { begin } from '../support/begin.ts';
import { labFile } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { stageProcesses } from '../support/stage-processes.ts';

const MIB = 2 ** 20;

type Answer = (response: ServerResponse, listing: string, id: number) => void;

/** A run of one source under the memory of the Lambdas, which is exceeded nowhere. Gives the most that each stage had. */
async function runWithin(
  answer: Answer,
  settings: object = {},
): Promise<{ summary: RunSummary; peakOf: (stage: string) => number }> {
  await using folder = await temporaryFolder();
  await using server = await serve((request, response) => {
    const [, listing = '', id = '', child = ''] =
      /API\/v1\.12\/(\w+)(?:\/(\d+)\/(\w+))?/.exec(request.url ?? '') ?? [];
    answer(response, child === '' ? listing : child, Number(id));
  });
  const place = { name: 'berlin', kind: 'signage', baseUrl: server.url, secret: 'lab/key' };
  const source = { ...place, requestsPerSecond: null, ...settings };
  const { text, file } = labFile(server.url, { config: { sources: [source] } });
  const config = parseConfig(text, file);
  const secrets = JSON.stringify({ 'lab/key': { apiKey: 'key-of-the-lab' } });
  await writeFile(join(folder.path, 'secrets.json'), secrets, { mode: 0o600 });
  const lake = folderLake(join(folder.path, 'lake'));
  await using processes = await stageProcesses(folder.path, config);
  const input = await begin({ scheduledTime: '2026-11-20T03:00:00Z' }, { ...localServices(lake), config });
  await interpret(input, processes.handlers, { retryMs: 0 });
  const peaks = JSON.stringify([...processes.peaks]);
  process.stderr.write(`${peaks}\n`);
  const over = [...processes.peaks].filter(([, { peakMiB, memoryMiB }]) => peakMiB > memoryMiB);
  expect(over, peaks).toEqual([]);
  return {
    summary: await readSummary(lake, input),
    peakOf: (stage) => [...processes.peaks].find(([name]) => name === stage)?.[1].peakMiB ?? 0,
  };
}

const PLAYERS = Array.from({ length: 24 }, (_, index) => ({ Id: index + 1 }));

/** Sends a body of many MB without holding it. */
function stream(response: ServerResponse, pieces: Iterator<string>): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    for (;;) {
      const { value, done } = pieces.next();
      if (done === true) return void response.end();
      if (!response.write(value)) return void response.once('drain', more);
    }
  };
  more();
}

function* groups(form: 'array' | 'map', bytes: number): Generator<string> {
  yield form === 'array' ? '[' : '{';
  for (let sent = 0, id = 1; sent < bytes; id++) {
    const record = JSON.stringify({ Id: id, Name: 'group '.repeat(80), Number: id * 7 });
    sent += record.length;
    yield `${id === 1 ? '' : ','}${form === 'array' ? '' : `"group-${id}":`}${record}`;
  }
  yield form === 'array' ? ']' : '}';
}

test('a map of 150 MB is read in the memory that a list takes', async () => {
  const peakOf = async (form: 'array' | 'map') => {
    const { summary, peakOf: peak } = await runWithin((response, listing) => {
      if (listing === 'AppGroups') stream(response, groups(form, 150 * MIB));
      else json(response, '[]');
    });
    expect(summary.sources[0]).toMatchObject({ status: 'complete' });
    expect(summary.tables['app_groups']?.rows).toBeGreaterThan(250_000);
    return peak('list');
  };
  const [list, map] = [await peakOf('array'), await peakOf('map')];
  expect(map, `a list took ${list} MiB`).toBeLessThan(list * 1.5);
}, 300_000);

/** The value of a record of a child answer, which has so many bytes. */
const LARGEST = {
  'one text beyond Latin-1': (bytes: number) => `"${'ж'.repeat(bytes / 2 - 2)}"`,
  'empty lists': (bytes: number) => `[${'[],'.repeat(bytes / 3 - 2)}[]]`,
  'numbers beyond 2^53': (bytes: number) => `[${'12345678901234567890,'.repeat(bytes / 21 - 2)}1]`,
} as const;
/** Next to the value: the id and the brackets. */
const ROOM = 100;

test.each([
  [1, 'empty lists'],
  [8, 'empty lists'],
  [8, 'numbers beyond 2^53'],
  [24, 'one text beyond Latin-1'],
] as const)(
  'with %i calls at once, each with the largest record (%s), collect keeps to its memory',
  async (concurrency, kind) => {
    const largest = LARGEST[kind](CHILD_RECORD_BYTES - ROOM);
    // More than are read at once, or all.
    const players = PLAYERS.slice(0, concurrency + 8);
    const { summary } = await runWithin(
      (response, listing, id) => {
        if (listing === 'Players') json(response, JSON.stringify(players));
        else if (listing === 'Screens') json(response, `[{"Id":${id},"Note":${largest}}]`);
        else json(response, '[]');
      },
      { concurrency },
    );
    expect(summary.sources[0]).toMatchObject({ status: 'complete' });
  },
  300_000,
);

test('a record that is larger fails alone', async () => {
  const { summary } = await runWithin((response, listing, id) => {
    const note = 'x'.repeat(id === 7 ? CHILD_RECORD_BYTES : 10);
    if (listing === 'Players') json(response, JSON.stringify(PLAYERS));
    else if (listing === 'Screens') json(response, `[{"Id":${id},"Note":"${note}"}]`);
    else json(response, '[]');
  });
  expect(summary.sources[0]).toMatchObject({ error: { code: 'RECORD_TOO_LARGE' }, outcomes: { failed: 1 } });
}, 300_000);
