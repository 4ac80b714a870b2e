import { expect, it } from 'vitest';
import { withDuckDb } from '#lib/runtime/duckdb-errors.ts';

const fault =
  'INTERNAL Error: Attempted to access index 0 within vector of size 0\nStack Trace:\n0 duckdb::Exception';

/** A step that fails so often, and counts. */
function failing(times: number, message: string) {
  const step = async () => {
    if (++step.done <= times) throw new Error(message);
    return 'answer';
  };
  step.done = 0;
  return step;
}

it('a fault of DuckDB itself is tried once more, then it is ENGINE_INTERNAL and no fault of the query', async () => {
  expect(await withDuckDb(failing(1, fault))).toBe('answer');
  const twice = failing(9, fault);
  const message =
    'DuckDB failed by a fault of its own: INTERNAL Error: Attempted to access index 0 within vector of size 0 Start the same command again; what was committed is unharmed.';
  await expect(withDuckDb(twice)).rejects.toMatchObject({ code: 'ENGINE_INTERNAL', message });
  expect(twice.done).toBe(2);
});

it('an error of the query is thrown at once', async () => {
  const wrong = failing(9, 'Binder Error: no such column');
  await expect(withDuckDb(wrong)).rejects.toThrow('Binder Error: no such column');
  expect(wrong.done).toBe(1);
});

it.each([
  ['IO Error: Could not write file "x": No space left on device', 'LAKE_FULL', 'No space is left for a file'],
  [
    'IO Error: Cannot open file "x": Too many open files',
    'SYSTEM_REFUSED',
    'a file of the tables was not opened',
  ],
  ['IO Error: Cannot open file "x": Read-only file system', 'LAKE_NOT_WRITABLE', 'mounted read-only'],
  ['IO Error: Cannot open file "x": Permission denied', 'LAKE_NOT_WRITABLE', 'No permission for a file'],
])('what the system refuses to DuckDB is said as of any file of a lake: %s', async (words, code, says) => {
  await expect(withDuckDb(failing(9, words))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(says),
  });
});
