import { expect, test } from 'vitest';
import { errorInBody } from '#lib/api/records/error-in-body.ts';
import { bodyOf } from './support/body-of.ts';

const signOf = async (body: object) => errorInBody((await bodyOf(JSON.stringify(body))).scan);

test.each([
  [{ status: 'error', message: 'Database unreachable', data: null }, 'status'],
  [{ status: 'Fail', items: [] }, 'status'],
  [{ statusCode: 500, message: 'Internal', data: [] }, 'statusCode'],
  [{ code: 503, message: 'Busy', data: [] }, 'code'],
  [{ ok: false, data: [] }, 'ok'],
  [{ success: false, data: [] }, 'success'],
  [{ result: 'error' }, 'result'],
])('%j is an error, by its %s', async (body, sign) => {
  expect(await signOf(body)).toBe(sign);
});

test.each([
  [{ status: 'ok', data: [] }],
  [{ status: 'success', message: 'No screens', data: [] }],
  [{ code: 200, message: 'OK', data: [] }],
  // A price list of one record.
  [{ code: 450, price: 12 }],
  [{ ok: true, data: [] }],
])('%j is none', async (body) => {
  expect(await signOf(body)).toBeNull();
});
