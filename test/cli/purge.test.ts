import { expect, it } from 'vitest';
import { addPurge } from '#cli/purge.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { placesOf, saidBy } from './support.ts';

it('purge of a source that is not there names those that are, the one that was meant, and in the end that there is none', async () => {
  await using lab = await fixtureLab({ [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } });
  await lab.run('2026-11-20T03:00:00Z');
  const places = await placesOf(lab);
  const purge = (source: string) => saidBy(addPurge, 'purge', '--source', source, ...places);
  const refused = async (source: string, cure: string) =>
    await expect(purge(source)).rejects.toMatchObject({
      code: 'SOURCE_UNKNOWN',
      message: `${lab.lake.name} has no data of a source "${source}": ${cure}`,
    });

  await refused('hamburg', 'name one of berlin, vault.');
  await refused('berln', 'did you mean berlin?');
  expect(await purge('berlin')).toContain('No table and no raw answer holds data of berlin any more');
  await refused('berlin', 'name one of vault.');
  expect(await purge('vault')).toContain('The config still has it, so the next run exports it again');
  await refused('vault', 'it has no data of any source.');
});
