import { expect, test } from 'vitest';
import { faultInAnswer } from '#lib/api/read/failure.ts';
import { bodyOf } from './support/body-of.ts';

const signOf = async (body: object) =>
  faultInAnswer({ headers: {}, body: await bodyOf(JSON.stringify(body)) });

test.each([
  [{ status: 'error', message: 'Database unreachable', data: null }, 'status'],
  [{ status: 'Fail', items: [] }, 'status'],
  [{ status: 'NOK', data: [] }, 'status'],
  [{ statusCode: 500, message: 'Internal', data: [] }, 'statusCode'],
  [{ code: 503, message: 'Busy', data: [] }, 'code'],
  [{ ok: false, data: [] }, 'ok'],
  [{ ok: 0, data: [] }, 'ok'],
  [{ success: false, data: [] }, 'success'],
  [{ succeeded: false, data: [] }, 'succeeded'],
  [{ result: 'error' }, 'result'],
  [{ result: 'asynchronous', data: 4711 }, 'result'],
  [{ Error: 'backend timeout', data: [] }, 'Error'],
  [{ errors: [{ detail: 'shard 3 is down' }], data: [] }, 'errors'],
  [{ errorCode: 42, data: [] }, 'errorCode'],
  [{ error_code: 'E1001', data: [] }, 'error_code'],
  [{ HasError: true, data: [] }, 'HasError'],
  [{ hasErrors: 'true', data: [] }, 'hasErrors'],
  [{ fault: { faultcode: 'Server' }, data: [] }, 'fault.faultcode'],
  [{ exception: 'java.lang.NullPointerException', data: [] }, 'exception'],
  [{ partial: true, data: [] }, 'partial'],
  [{ incomplete_results: true, items: [] }, 'incomplete_results'],
  [{ timed_out: true, hits: { hits: [] } }, 'timed_out'],
  [{ _shards: { total: 5, successful: 4, failed: 1 }, data: [] }, '_shards.failed'],
  [{ meta: { status: { code: 500, text: 'failed' } }, data: [] }, 'meta.status.code'],
  [{ response: { header: { resultCode: 'FAILURE' } }, data: [] }, 'response.header.resultCode'],
  [{ error: { code: 17, message: 'database unreachable' }, data: [] }, 'error.code'],
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
  [{ error: { code: 0 }, data: [] }],
  [{ error: { code: 0, message: 'success' }, data: [] }],
  [{ error: 'none', data: [] }],
  [{ error: 'No error', data: [] }],
  [{ errors: {}, data: [] }],
  [{ errors: [], warnings: [], data: [] }],
  [{ error: null, errorCode: 0, errorMessage: '', data: [] }],
  [{ result: '200', data: [] }],
  [{ result: 'success', data: [] }],
  [{ success: true, data: [] }],
  [{ success: { ok: true }, players: [] }],
  [{ HasError: false, Items: [] }],
  // A record's own field.
  [[{ error: 'of a record', result: 'error' }]],
  [{ _shards: { total: 5, successful: 5, failed: 0 }, timed_out: false, data: [] }],
  [{ partial: false, isTruncated: true, timeout: 30, data: [] }],
])('%j is none', async (body) => {
  expect(await signOf(body)).toBeNull();
});
