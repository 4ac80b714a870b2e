import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const GROUPS = `${SIGNAGE}/AppGroups`;
const DAYS = [
  '2026-11-20T03:00:00Z',
  '2026-11-21T03:00:00Z',
  '2026-11-22T03:00:00Z',
  '2026-11-23T03:00:00Z',
] as const;

const groups = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ Id: from + index, Name: `G${from + index}` }));
const body = (value: unknown) => ({ body: JSON.stringify(value) });

it('an empty listing shows nothing of how its records come, and takes nothing from what an earlier run has found', async () => {
  const wrapped = (to: number) => body({ items: groups(1, to).map((Group) => ({ Group })) });
  const none = { [GROUPS]: body({ items: [] }) };
  await using lab = await signageLab(none);
  expect((await lab.run(DAYS[0])).status).toBe('complete');
  const second = await lab.run(DAYS[1], { [GROUPS]: wrapped(4) });
  expect(second.sources[0]?.error?.message).toContain('resources.app_groups.items to "items[].Group{1}"');
  const plain = { [GROUPS]: body({ items: groups(1, 4) }) };
  await lab.run(DAYS[2], plain);
  await lab.run(DAYS[3], none, {}, { acceptShrink: ['berlin'] });
  const { sources } = await lab.run('2026-11-24T03:00:00Z', { [GROUPS]: body({ data: groups(1, 4) }) });
  expect(sources[0]?.drift.join()).toContain('The records were at items and are now at data');
});

/** One player with so many screens, in pages of three by `from`; any other parameter is a filter that no screen passes. */
function filtering(count: number, says: (from: number) => object): Routes {
  const screens = Array.from({ length: count }, (_, index) => ({ Id: index + 1, Label: `S${index + 1}` }));
  return {
    [`${SIGNAGE}/Players`]: body([{ Id: 1 }, { Id: 2 }]),
    [`${SIGNAGE}/Players/1/Screens`]: ({ url }) => {
      const query = new URL(url ?? '', 'http://x').searchParams;
      const from = Number(query.get('from') ?? 0);
      const isFiltered = [...query.keys()].some((name) => name !== 'from');
      return body({
        data: isFiltered ? [] : screens.slice(from, from + 3),
        ...says(isFiltered ? count : from),
      });
    },
  };
}

it('a second page that was empty proves nothing of the parameter on the day after', async () => {
  const says = (count: number) => (from: number) => ({ nextToken: from + 3 < count ? 'x' : '', pageSize: 3 });
  await using lab = await signageLab(filtering(2, says(2)));
  await lab.run(DAYS[0]);
  const { sources } = await lab.run(DAYS[1], filtering(5, says(5)));
  expect(sources[0]?.error).toMatchObject({ code: 'PAGING_UNPROVEN' });
  expect(await lab.rows('select count(*) n from screens')).toEqual([{ n: 2 }]);
});
