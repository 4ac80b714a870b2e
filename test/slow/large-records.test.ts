import { expect, test } from 'vitest';
import { type Sized, withoutRoom } from '#lib/plan/within-room.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

const MIB = 2 ** 20;

test('large records that publish has no memory for together set their table aside, for their source alone', async () => {
  const groups = (text: string) => ({
    [`${SIGNAGE}/AppGroups`]: { body: JSON.stringify([1, 2, 3].map((Id) => ({ Id, Name: text }))) },
    [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Name: text.slice(0, 10) }]) },
  });
  await using lab = await fixtureLab(groups('small'));
  await lab.run('2026-11-20T03:00:00Z');
  const summary = await lab.run('2026-11-21T03:00:00Z', groups('x'.repeat(30 * MIB)));
  expect(summary.sources[0]).toMatchObject({
    error: { code: 'SOURCE_SET_ASIDE', message: expect.stringContaining('91 MiB together') },
  });
  expect(summary.sources[1]).toMatchObject({ status: 'complete' });
  expect(await lab.rows('select distinct name from app_groups')).toEqual([{ name: 'small' }]);
  expect(await lab.rows('select name from players')).toEqual([{ name: 'xxxxxxxxxx' }]);
}, 120_000);

test('of a table the source with the most gives way, until all others have room together', () => {
  const large = (source: string, resource: Sized['resource'], bytes: number): Sized => ({
    source,
    resource,
    bytes,
  });
  const all = [
    large('a', 'players', 40),
    large('b', 'players', 70),
    large('c', 'players', 50),
    large('a', 'screens', 99),
  ];
  const names = (room: number) =>
    withoutRoom(all, room).map(({ source, resource }) => `${source} ${resource}`);
  expect(names(160)).toEqual([]);
  expect(names(159)).toEqual(['b players']);
  expect(names(89)).toEqual(['b players', 'c players', 'a screens']);
});
