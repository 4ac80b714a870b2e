import { describe, expect, test } from 'vitest';
import { ALL, COUNT, records } from './support/named-records.ts';
import { fetchPages } from './support/pages.ts';

const read = async (body: object) => (await fetchPages(() => body)).end;

describe('where a total of the records is reached, other totals mean nothing', () => {
  const WHOLE: Readonly<Record<string, object>> = {
    'the shards of Elasticsearch': { _shards: { total: 5 }, hits: { total: COUNT, hits: ALL } },
    'the shards of Elasticsearch 7': {
      ...{ took: 3, timed_out: false, _shards: { total: 90, successful: 90, skipped: 0, failed: 0 } },
      hits: { total: { value: COUNT, relation: 'eq' }, max_score: 1, hits: ALL },
    },
    'the shards of Elasticsearch without a total': { _shards: { total: 90 }, hits: { hits: ALL } },
    'the bytes of the storage, and the licences': {
      ...{ items: ALL, total: COUNT, licenses: { total: 500 }, storage: { totalBytes: 1e9 } },
    },
    'the alerts of the installation': { items: ALL, totalPlayers: COUNT, totalAlerts: 120 },
    "DynamoDB's count of what it read": { Items: ALL, Count: COUNT, ScannedCount: COUNT + 7 },
    "jqGrid's number of pages": { page: '1', total: '1', records: `${COUNT}`, rows: ALL },
    'statistics of other things': { items: ALL, statistics: { byType: { pro: 3, entry: 5 } } },
    'a smaller limit': { players: ALL, total_items: COUNT, constraints: { current_total_instances: 1 } },
  };
  test.each(Object.entries(WHOLE))('%s', async (_, body) => {
    expect(await read(body)).toMatchObject({ outcome: 'ok', items: COUNT, message: null });
  });

  test('and one that is larger, with a foreign name, is a note', async () => {
    const { notes } = await read({ items: ALL, totalPlayers: COUNT, totalAlerts: 120 });
    expect(notes).toMatchObject([{ code: 'BESIDE_UNKNOWN', says: expect.stringContaining('totalAlerts') }]);
  });
});

const SHORT: Readonly<Record<string, readonly [body: object, names: string]>> = {
  'next to the length of the page': [{ count: 20, total: COUNT }, 'total'],
  'next to the number of records on the page': [{ totalInPage: 20, totalResults: COUNT }, 'totalResults'],
  'of a foreign name, by the length of the page': [{ count: 20, totalEntities: COUNT }, 'totalEntities'],
  'with a foreign name alone': [{ totalEntities: COUNT }, 'totalEntities'],
  'next to a smaller one': [{ _shards: { total: 5 }, total: COUNT }, 'total'],
  'in the object of the records': [{ players: { total: COUNT }, alerts: { total: 3 } }, 'players.total'],
};
test.each(Object.entries(SHORT))(
  'where records are missing, the total that says so is named: %s',
  async (_, [says, name]) => {
    const end = await read({ items: records(0, 20), ...says });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    expect(end.question?.cures.at(-1)).toMatchObject({ choices: [[name]] });
  },
);
