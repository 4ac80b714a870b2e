import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { rowsOf } from '../support/files-of-head.ts';
import { someOf } from '../support/some-of.ts';

let lab: ExportLab;
const asked = new Map<string, string>();

beforeAll(async () => {
  lab = await exportLab({ players: 600, recordsRequests: true });
  await lab.run('2026-11-20T03:00:00Z');
  // The answers to the usual ways to further pages are not kept: no page was there.
  const isKept = (path: string) => !/[?&](_*page|pageNumber|offset|skip|%24skip|start)=/.test(path);
  for (const path of [...lab.simulator.stats.requestPaths].filter(isKept)) {
    const headers = {
      'x-apikey': lab.simulator.secrets.signage.apiKey,
      authorization: `Bearer ${lab.simulator.secrets.backup.accessToken}`,
    };
    asked.set(path, await (await fetch(`${lab.simulator.url}${path}`, { headers })).text());
  }
});
afterAll(() => lab[Symbol.asyncDispose]());

it('slices joined are the answers as they came, byte for byte, read by a second reader', async () => {
  const root = join(lab.folder, 'lake', 'raw');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const bodies: string[] = [];
  for (const name of someOf(names.filter((each) => each.endsWith('.parquet')))) {
    const answers = Map.groupBy(await rowsOf([join(root, name)]), (row) => `${row.parent_id} ${row.page}`);
    for (const slices of answers.values()) {
      const inOrder = slices.toSorted((a, b) => Number(a.slice) - Number(b.slice));
      bodies.push(inOrder.map(({ body }) => body).join(''));
    }
  }
  expect(bodies.sort()).toEqual([...asked.values()].sort());
});
