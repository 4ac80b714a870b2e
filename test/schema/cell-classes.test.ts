import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { cellForm } from '#lib/schema/cells/cast-sql.ts';
import { decideColumn } from '#lib/schema/columns/decide-column.ts';
import { cellsOf, openCells, profileOf, putValues } from './cells.ts';

let db: DuckDb;
beforeAll(async () => {
  db = await openCells();
});
afterAll(() => db[Symbol.dispose]());

describe('times that are written in a way of their own are read like others', () => {
  const MS = Date.parse('2026-11-20T13:40:47Z');
  test.each([
    ['20261120T134047Z', MS],
    ['20261120T154047+0200', MS],
    ['20261120T134047.250Z', MS + 250],
    ['2026-11-20 13:40:47 UTC', MS],
    ['2026-11-20 15:40:47 GMT+02:00', MS],
    ['2026-11-20T13:40:47GMT', MS],
    ['2026/11/20 13:40:47 +0000', MS],
    ['2026/11/20 14:40:47 +01:00', MS],
    ['Fri Nov 20 2026 13:40:47 GMT+0000 (Coordinated Universal Time)', MS],
    ['Fri Nov 20 2026 14:40:47 GMT+0100', MS],
    [MS / 1000 + 0.25, MS + 250],
    [MS / 1000 + 0.0625, MS + 62],
  ])('%s', async (text, ms) => {
    await putValues(db, [JSON.stringify(text)]);
    const profile = await profileOf(db);
    const { type, readings, rejects } = decideColumn({
      table: 'players',
      name: 'seen',
      profiles: { berlin: profile },
    });
    expect(type).toBe('timestamp');
    const [cell] = await cellsOf(db, cellForm({ type, readings, rejects }, 'berlin'));
    expect(Date.parse(`${cell?.text?.replace(' ', 'T')}Z`)).toBe(ms);
  });

  test.each([
    '20261320T134047Z',
    '2026/13/20 13:40:47 +0000',
    '2026-11-20 13:40:47 CET',
    '12345678T12345Z',
    '3/12/2020/1',
  ])('%s is no time', async (text) => {
    await putValues(db, [JSON.stringify(text)]);
    expect((await profileOf(db)).counts).toEqual({ text: 1 });
  });
});
