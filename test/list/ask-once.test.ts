import { afterAll, beforeAll, expect, it } from 'vitest';
import { askOnce } from '#lib/list/ask-once.ts';
import type { Source } from '#lib/sources/source.ts';
import { type ExportLab, exportLab, labSecrets } from '../support/export-lab.ts';
import { labServices } from '../support/lab-services.ts';

let lab: ExportLab;
beforeAll(async () => {
  lab = await exportLab({ players: 3 });
});
afterAll(() => lab?.[Symbol.asyncDispose]());

async function asked(secrets = labSecrets(lab.simulator), changes: Partial<Source> = {}) {
  await using services = labServices({ lake: lab.lake }, secrets, () => 0);
  const [source] = lab.config.sources;
  if (source === undefined) throw new Error('no source');
  return await askOnce({ ...source, ...changes } as Source, services);
}

it('a source that answers is asked for its first listing, and nothing is written', async () => {
  expect(await asked()).toEqual({ resource: 'app_groups', status: 200, refused: null });
  for await (const { key } of lab.lake.list('')) expect.unreachable(key);
});

it('a key that is refused says so with its code and cure', async () => {
  const wrong = { read: async () => ({ apiKey: 'a-key-that-is-wrong' }) };
  expect(await asked(wrong)).toMatchObject({
    refused: { code: 'SOURCE_UNAUTHORIZED', message: expect.stringContaining('secret') },
  });
});

it('a path that is not there says so', async () => {
  expect(await asked(undefined, { basePath: '/elsewhere' })).toMatchObject({
    status: 404,
    refused: { code: 'NOT_FOUND' },
  });
});
