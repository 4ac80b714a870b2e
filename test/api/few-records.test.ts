import { expect, test } from 'vitest';
import { findRecords } from '#lib/api/records/envelope.ts';
import { resourceNamed } from '#lib/sources/resources.ts';
import { bodyOf } from './support/body-of.ts';

const LOCK = { envelope: 'data', keys: ['Id', 'Name', 'Seen'] };

async function found(answer: unknown, lock: typeof LOCK | null = LOCK): Promise<string> {
  const body = await bodyOf(JSON.stringify(answer));
  const question = { body, resource: resourceNamed('screens'), setting: undefined, lock: lock ?? undefined };
  try {
    const { place } = findRecords(question);
    return place === null ? 'none' : place.form === 'record' ? 'one' : `list of ${place.container.children}`;
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'));
  }
}

const NOTHING = [
  {},
  '',
  null,
  false,
  { count: 0 },
  { data: {} },
  { data: null },
  { data: '' },
  { total: 0, requestId: 'a-1' },
];
test.each(NOTHING.map((answer) => [answer]))(
  '%j has no records where other parents prove the list',
  async (answer) => {
    expect(await found(answer)).toBe('none');
  },
);
test.each([[{}], [''], [false], [{ count: 0 }]])('%j asks where nothing proves it', async (answer) => {
  expect(await found(answer, null)).toBe('ENVELOPE_UNKNOWN');
});

const RECORD = { Id: 7, Name: 'x', Seen: null };
test.each([[RECORD], [{ data: RECORD }]])('%j is the one record of a parent', async (answer) => {
  expect(await found(answer)).toBe('one');
});
test.each([[{ Message: 'no' }], [{ count: 3 }], [{ data: { code: 7, text: 'late' } }], ['late'], [7]])(
  '%j is neither',
  async (answer) => {
    expect(await found(answer)).toBe('ENVELOPE_UNKNOWN');
  },
);
