import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import { DAYS, type PrintedShell, players, printedShell, twoDays } from './support/printed-shell.ts';

let printed: PrintedShell;
beforeAll(async () => {
  printed = await printedShell();
});
afterAll(() => printed?.[Symbol.asyncDispose]());

describe('docs/run/recovery.md on S3', () => {
  const recoverable = async (bucket: string) => {
    // The stand-in refuses to put an absent object over a delete marker. S3 does so, by its guide:
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
    const made = await twoDays(printed, bucket, { hasVersions: false });
    const config = join(printed.folder, `${bucket}.config.json`);
    await writeFile(config, made.lab.written.text);
    const ask = (command: string) =>
      printed.shell(`signage-export ${command} --lake s3://${bucket} --config ${config}`, {});
    return { ...made, ask };
  };
  const removed = async (lake: Lake, prefix: string): Promise<void> => {
    const keys: string[] = [];
    for await (const { key } of lake.list(prefix)) keys.push(key);
    expect(keys.length).toBeGreaterThan(0);
    await lake.remove(keys);
  };

  it.each([
    ['head', 'state/head.json', 'HEAD_MISSING'],
    ['state', 'state/', 'STATE_LOST'],
  ])(
    'a lost %s comes back by recover, with all days, and the next run goes on',
    async (name, prefix, code) => {
      const { lab, lake, ask } = await recoverable(`lost-${name}`);
      await using _ = lab;
      const before = await lab.rows(DAYS);
      await removed(lake, prefix);
      await expect(lab.run('2026-11-22T03:00:00Z')).rejects.toMatchObject({ code });
      const said = await ask('recover');
      expect(said).toEqual({
        code: 2,
        said: expect.stringMatching(/run 20261121T030000Z.*\n(.*\n)*.*--yes/),
      });
      await expect(lab.run('2026-11-22T03:00:00Z')).rejects.toMatchObject({ code });
      expect(await ask('recover --yes')).toEqual({
        code: 0,
        said: expect.stringContaining('The tables are as run 20261121T030000Z left them'),
      });
      expect(await ask('verify')).toEqual({ code: 0, said: expect.stringContaining('0 damaged or missing') });
      expect(await lab.rows(DAYS)).toEqual(before);
      const { tables } = await lab.run('2026-11-22T03:00:00Z', players(5));
      expect(tables['players']).toMatchObject({ rows: 5, added: 1, removed: 0 });
    },
  );
});
