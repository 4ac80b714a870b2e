import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

const DAY = '2026-11-20T03:00:00Z';
const PLAIN = 'Players1x';
const players = (body: string) => ({ [`${SIGNAGE}/Players`]: { body } });
const labOf = (body: string, key: string) => fixtureLab(players(body), { backup: null }, undefined, key);

describe('a short key that stands in data', () => {
  it('within a longer word is replaced, and counted in rejects', async () => {
    await using lab = await labOf(`[{"Id":1,"Name":"${PLAIN}2"}]`, PLAIN);
    expect(await lab.run(DAY)).toMatchObject({ status: 'complete' });
    expect(await lab.rows('select name from players')).toEqual([{ name: '[secret]2' }]);
    expect(await lab.rows('select raw_value, reason from rejects')).toEqual([
      { raw_value: '[secret]2', reason: 'secret' },
    ]);
  });

  it('as a word of a text is replaced, and counted in rejects', async () => {
    await using lab = await labOf(`[{"Id":1,"Next":"/a?k=${PLAIN}","sessionId":"${PLAIN}"}]`, PLAIN);
    expect(await lab.run(DAY)).toMatchObject({ status: 'complete' });
    expect(await lab.rows('select next, session_id from players')).toEqual([
      { next: '/a?k=[secret]', session_id: '[secret]' },
    ]);
    expect(
      await lab.rows(
        'select column_name, raw_value, reason, "count"::integer as n from rejects order by all',
      ),
    ).toEqual([
      { column_name: 'next', raw_value: '/a?k=[secret]', reason: 'secret', n: 1 },
      { column_name: 'session_id', raw_value: '[secret]', reason: 'secret', n: 1 },
    ]);
  });
});

describe('an ordinary key', () => {
  it('that does not occur raises nothing', async () => {
    await using lab = await labOf('[{"Id":1,"Name":"a","Size":12345678}]', randomUUID());
    const { sources } = await lab.run(DAY);
    expect(sources).toMatchObject([{ status: 'complete', questions: [], notes: [] }]);
    expect(await lab.rows('select * from rejects')).toEqual([]);
  });
});
