import { describe, expect } from 'vitest';
import { commitHead, readHead, readRunHead } from '#lib/lake/head.ts';
import { ConditionFailed, type Lake } from '#lib/lake/lake.ts';
import { head, storedHead } from '../support/head.ts';
import { itWithLake as it } from '../support/temporary-lake.ts';

const first = head();
const { screens } = first.tables;
const second = head({ runId: '20261122T030000Z', previous: first.runId, status: 'partial' });
const stored = storedHead(first);
const fenced = expect.objectContaining({ code: 'COMMIT_FENCED' });

describe('head', () => {
  it('is fenced from every commit but that of the run which read it last', async ({ lake }) => {
    await expect(commitHead(lake, second, 'never')).rejects.toThrow(fenced);
    const etag = await commitHead(lake, first, undefined);
    await expect(commitHead(lake, second, undefined)).rejects.toThrow(fenced);
    await commitHead(lake, second, etag);
    await expect(commitHead(lake, head({ status: 'failed' }), etag)).rejects.toThrow(fenced);
    expect((await readHead(lake))?.head).toEqual(second);
    expect(await readRunHead(lake, first.runId)).toEqual(first);
  });

  it('is committed where the put succeeded and its answer was lost', async ({ lake }) => {
    const lossy: Lake = {
      ...lake,
      write: async (key, bytes, condition) => {
        const etag = await lake.write(key, bytes, condition);
        if (condition !== undefined) throw new ConditionFailed(key);
        return etag;
      },
    };
    const etag = await commitHead(lossy, first, undefined);
    expect(await readHead(lake)).toEqual({ head: first, etag });
  });

  it('that was lost is missed, and no run begins', async ({ lake }) => {
    await commitHead(lake, second, await commitHead(lake, first, undefined));
    await lake.remove(['state/head.json', `state/runs/${second.runId}/head.json`]);
    await expect(readHead(lake)).rejects.toThrow(
      expect.objectContaining({ code: 'HEAD_MISSING', message: expect.stringContaining('`recover`') }),
    );
  });

  it('of a first commit that died before it was done is none: the next run begins', async ({ lake }) => {
    const dying: Lake = {
      ...lake,
      write: async (key, bytes, condition) => {
        if (condition !== undefined) throw new Error('killed');
        return await lake.write(key, bytes);
      },
    };
    await expect(commitHead(dying, first, undefined)).rejects.toThrow('killed');
    expect(await readHead(lake)).toBeUndefined();
  });

  it.for<readonly [text: string, fault: string]>([
    ['', 'it is not JSON'],
    [JSON.stringify(stored).slice(0, -20), 'it is not JSON'],
    ['null', 'it: Invalid input: expected object, received null'],
    [JSON.stringify({ ...stored, version: 0 }), 'version: Invalid option: expected one of 2|3'],
    [JSON.stringify({ ...stored, attempt: '1' }), 'attempt: Invalid input: expected number, received string'],
    [
      JSON.stringify({ ...stored, tables: { screens: { dates: {} } } }),
      'tables.screens.newest: these are not the files of a date',
    ],
    ...[
      { '2026-11-20': { run: '20261120T030000Z', parts: [0] } },
      { today: { run: '20261120T030000Z.1', parts: [0] } },
    ].map((dates): [string, string] => [
      JSON.stringify({ ...stored, tables: { screens: { ...screens, dates } } }),
      'tables.screens.dates: these are not the files of dates',
    ]),
  ])('that is damaged (%j) says where and how to mend it', async ([text, fault], { lake }) => {
    await lake.write('state/head.json', Buffer.from(text));
    await expect(readHead(lake)).rejects.toThrow(
      expect.objectContaining({
        code: 'HEAD_CORRUPT',
        message: `${lake.name}/state/head.json is damaged: ${fault}. Let \`recover\` put back the newest copy that is whole; the tables are unharmed.`,
      }),
    );
  });

  it('of a later version is called so, and not damaged: no cure puts an older one in its place', async ({
    lake,
  }) => {
    await commitHead(lake, first, undefined);
    const stored = (await lake.read('state/head.json'))?.bytes.toString() ?? '';
    const later = Buffer.from(stored.replace('"version":3', '"version":4'));
    await lake.write('state/head.json', later);
    const refused = {
      code: 'LAKE_NEWER',
      message: `${lake.name}/state/head.json is of version 4, and this program knows versions up to 3: a later one wrote this lake. Install that one, or name another lake with --lake; nothing is damaged.`,
    };
    await expect(readHead(lake)).rejects.toThrow(expect.objectContaining(refused));
  });
});
