import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { putEvents } from '#lib/aws/news-channels.ts';
import { s3Objects } from '#lib/aws/s3-objects.ts';
import { ConditionFailed } from '#lib/lake/lake.ts';
import { answeringAws } from './cli/support.ts';

type Answer = readonly [status: number, body?: string | object, headers?: Readonly<Record<string, string>>];

/** What AWS is asked, as METHOD or operation, and what it answers in turn. */
let asked: string[] = [];
let answer: (what: string, request: IncomingMessage) => Answer = () => [500];
let aws: AsyncDisposable;
beforeAll(async () => {
  aws = await answeringAws(async (request, response) => {
    await request.toArray();
    const target = request.headers['x-amz-target'];
    const what = target === undefined ? String(request.method) : (String(target).split('.').at(-1) ?? '');
    asked.push(what);
    const [status, body = '', headers = {}] = answer(what, request);
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked = [];
});

describe('a put of the head, on a condition', () => {
  const put = () =>
    s3Objects({ bucket: 'lake', pathStyle: true }).put('state/head.json', Buffer.from('{}'), {
      condition: { match: '"1"' },
    });

  it('whose first answer was lost is known by its own name: no other has won', async () => {
    let name = '';
    answer = (what, request) => {
      if (what === 'HEAD') return [200, '', { etag: '"2"', 'x-amz-meta-put': name }];
      if (asked.length > 1) return [412];
      name = String(request.headers['x-amz-meta-put']);
      return [500];
    };
    expect(await put()).toBe('"2"');
    expect(asked).toEqual(['PUT', 'PUT', 'HEAD']);
  });

  it('has lost against another put, and says so: at once, and where its first answer was lost', async () => {
    answer = () => [412];
    await expect(put()).rejects.toThrow(ConditionFailed);
    expect(asked).toEqual(['PUT']);
    asked = [];
    answer = (what) => {
      if (what === 'HEAD') return [200, '', { etag: '"2"', 'x-amz-meta-put': 'of another' }];
      return asked.length > 1 ? [412] : [500];
    };
    await expect(put()).rejects.toThrow(ConditionFailed);
  });
});

const location = 's3://lake/tables/screens/';
const table = { name: 'screens', description: '', columns: [], location, isDaily: false, fingerprint: '1' };
const refused = (name: string): Answer => [400, { __type: name }, { 'x-amzn-errortype': name }];

it.each([
  ['has made meanwhile is updated', false, ['CreateTable', 'UpdateTable'], 'AlreadyExistsException'],
  ['has removed meanwhile is made', true, ['UpdateTable', 'CreateTable'], 'EntityNotFoundException'],
] as const)('a table of the catalog that another sync: %s', async (_, isKnown, due, error) => {
  answer = (what) => (what === due[0] ? refused(error) : [200, {}]);
  await glueCatalog('signage').putTable(table, isKnown);
  expect(asked).toEqual(due);
});

describe('events of a run', () => {
  const events = Array.from({ length: 11 }, () => ({ type: 'Run Failed', detail: {} }) as never);

  it('are put, ten at once', async () => {
    answer = () => [200, {}];
    await putEvents(events, new Date());
    expect(asked).toEqual(['PutEvents', 'PutEvents']);
  });

  it('that EventBridge does not take are an error that counts them', async () => {
    answer = () => [200, { FailedEntryCount: 2, Entries: [{}, { ErrorCode: 'ThrottlingException' }] }];
    await expect(putEvents(events, new Date())).rejects.toMatchObject({
      code: 'EVENTS_REFUSED',
      message: expect.stringMatching(/2 events of a run \(ThrottlingException\)/),
    });
  });
});
