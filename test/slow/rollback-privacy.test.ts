import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { addStatus } from '#cli/status.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { cli } from '../cli/support.ts';
import { labConfig, labSettings } from '../support/export-lab.ts';
import { fixtureLab } from '../support/fixture-lab.ts';
import { hide, hmac, players } from '../support/hidden-player.ts';

it('no rollback shows again what the config hides now, over a damaged head neither, and status offers none', async () => {
  await using lab = await fixtureLab(players('a@example.com', '0123'));
  for (const day of [20, 21]) await lab.run(`2026-11-${day}T03:00:00Z`);
  for (const day of [22, 23]) await lab.run(`2026-11-${day}T03:00:00Z`, undefined, hide);
  const to = (day: number, settings: object) =>
    rollback(`202611${day}T030000Z`, {
      ...localServices(lab.lake),
      ...LOCAL_HOLDER,
      config: labConfig(lab.server.url, settings),
    });
  const refused = {
    code: 'ROLLBACK_IMPOSSIBLE',
    message:
      'Run 20261121T030000Z cannot be rolled back to: it shows players.contact_phone, players.email, which the config hides by mask or drop. Remove from mask and drop what may be shown, or roll back to a later run. `status` lists the runs that can be.',
  };
  await expect(to(21, hide)).rejects.toMatchObject(refused);

  const file = join(lab.folder, 'export.config.json');
  await writeFile(file, JSON.stringify(labSettings(lab.server.url, hide)));
  const offered = async (config: string) => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await cli(addStatus, 'status', '--lake', join(lab.folder, 'lake'), '--config', config, '--json');
    const said = out.mock.calls.map(([text]) => String(text)).join('');
    out.mockRestore();
    return JSON.parse(said).back.rollbacks.map(({ runId }: { runId: string }) => runId.slice(6, 8));
  };
  expect(await offered(file)).toEqual(['22']);
  expect(await offered(join(lab.folder, 'nowhere.json'))).toEqual(['22', '21', '20']);

  const head = join(lab.folder, 'lake', 'state', 'head.json');
  await writeFile(head, '{');
  await expect(to(21, hide)).rejects.toMatchObject(refused);
  await to(22, hide);
  expect(await lab.rows('select email from players')).toEqual([{ email: hmac('a@example.com') }]);
  // Whoever shows it again says so in the config.
  await to(21, {});
  expect(await lab.rows('select email, contact_phone from players')).toEqual([
    { email: 'a@example.com', contact_phone: '0123' },
  ]);
});

it('a column that two sources share is in the clear where the one that drops it did not', async () => {
  const routes = { ...players('a@example.com', '0123') };
  const second = { kind: 'signage', concurrency: 5, requestsPerSecond: null, secret: 'lab/munich' };
  const settings = (drop: readonly string[]) => ({
    config: {
      sources: ['berlin', 'munich'].map((name) => ({
        ...second,
        name,
        baseUrl: lab.server.url,
        ...(name === 'munich' && { resources: { players: { drop } } }),
      })),
    },
  });
  await using lab = await fixtureLab(routes);
  const to = (day: number) =>
    rollback(`202611${day}T030000Z`, {
      ...localServices(lab.lake),
      ...LOCAL_HOLDER,
      config: labConfig(lab.server.url, settings(['Email'])),
    });
  await lab.run('2026-11-20T03:00:00Z', routes, settings([]));
  for (const day of [21, 22]) await lab.run(`2026-11-${day}T03:00:00Z`, routes, settings(['Email']));
  await expect(to(20)).rejects.toThrow('it shows players.email, which');
  expect((await to(21)).runId).toBe('20261121T030000Z');
});
