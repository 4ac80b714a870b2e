import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

const DAY = '2026-11-20T03:00:00Z';
const PLAIN = 'Players1x';
const players = (body: string) => ({ [`${SIGNAGE}/Players`]: { body } });
const labOf = (body: string, key: string) => fixtureLab(players(body), { backup: null }, undefined, key);

describe('a short key that stands in data', () => {
  it.each([
    ['an id', `[{"Id":"a-${PLAIN}","Name":"b"}]`],
    ['a name', `[{"Id":1,"Name":"${PLAIN.toLowerCase()} 7"}]`],
    ['an id of another thing', `[{"Id":1,"StorageId":"${PLAIN}"}]`],
    ['a name, with blanks around', `[{"Id":1,"DisplayName" :\n "x ${PLAIN}"}]`],
    ['the name of a field', `[{"Id":1,"${PLAIN}":"b"}]`],
    ['a large listing', `[${'{"Id":1,"Text":"\\\\\\""},'.repeat(9000)}{"Id":2,"Name":"${PLAIN}"}]`],
  ])('as %s fails the listing, which says why and what to do', async (_, body) => {
    await using lab = await labOf(body, PLAIN);
    const [source] = (await lab.run(DAY)).sources;
    expect(source).toMatchObject({ status: 'failed', error: { code: 'SECRET_PLAIN' } });
    expect(source?.error?.message).toContain('20 characters');
    expect(JSON.stringify(source)).not.toContain(PLAIN);
  });

  it('with other signs than letters, as part of a name, fails it', async () => {
    await using lab = await labOf(`[{"Id":1,"Name":"O'Neill's Pub Leipzig"}]`, "O'Neill's");
    expect((await lab.run(DAY)).sources).toMatchObject([{ error: { code: 'SECRET_PLAIN' } }]);
  });

  it('as a number fails it', async () => {
    await using lab = await labOf('[{"Id":1,"Size":991e345678}]', '1e345678');
    expect((await lab.run(DAY)).sources).toMatchObject([{ error: { code: 'SECRET_PLAIN' } }]);
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

  it('of many digits leaves numbers valid JSON: the whole number is a secret, and its cell is null', async () => {
    const key = '73850912846501928374650192';
    const sizes = Array.from({ length: 200 }, (_, at) => `{"Id":${at + 2},"Size":${at}}`);
    await using lab = await labOf(`[{"Id":1,"Size":-9${key}1.5e3},${sizes.join()}]`, key);
    expect(await lab.run(DAY)).toMatchObject({ status: 'complete' });
    expect(await lab.rows(`select size from players where player_id = '1'`)).toEqual([{ size: null }]);
    expect(await lab.rows('select column_name, raw_value, reason from rejects')).toEqual([
      { column_name: 'size', raw_value: '[secret]', reason: 'secret' },
    ]);
  });
});
