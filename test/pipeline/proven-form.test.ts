import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

/** Five screens of each player as a map, in pages of three; a parameter that the server does not know is a filter. */
function screensOf(player: number, param: string): Routes[string] {
  return (request) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const isKnown = [...query.keys()].every((name) => name === param);
    const from = Number((query.get(param) ?? 'b0').slice(1));
    const own = [1, 2, 3, 4, 5].map((number) => player * 10 + number).slice(from, from + 3);
    const body = Object.fromEntries((isKnown ? own : []).map((Id) => [`k${Id}`, { Id, Label: `S${Id}` }]));
    const headers = { 'content-type': 'application/json', ...(from === 0 && { 'X-Next-Token': 'b3' }) };
    return {
      headers: isKnown ? headers : { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
  };
}

const fleet = (param: string): Routes => ({
  [`${SIGNAGE}/Players`]: { body: '[{"Id":1},{"Id":2}]' },
  [`${SIGNAGE}/Players/1/Screens`]: screensOf(1, param),
  [`${SIGNAGE}/Players/2/Screens`]: screensOf(2, param),
});

it('what one answer proves of the form of maps proves nothing of their pages', async () => {
  await using lab = await signageLab(fleet('next_token'));
  const { sources } = await lab.run('2026-11-20T03:00:00Z');
  expect(sources[0]).toMatchObject({ status: 'failed', error: { code: 'PAGING_UNPROVEN' } });

  const settings = {
    signage: { resources: { screens: { paging: 'cursor:next_token@header:X-Next-Token' } } },
  };
  const answered = await lab.run('2026-11-20T03:01:00Z', undefined, settings);
  expect(answered.sources[0]?.status).toBe('complete');
  expect(await lab.rows('select count(*)::int as screens from screens')).toEqual([{ screens: 10 }]);
});
