import { beforeAll, describe, expect, it } from 'vitest';
import { profileNamed } from '#simulator/profiles/table.ts';
import { startSimulator } from '#simulator/server.ts';
import { comparabilityOf, type SourceFragment } from '../dialects/support/comparability.ts';
import { clockedLake } from '../queries/clocked-lake.ts';
import { labConfig, labSecrets } from '../support/export-lab.ts';

const WORLD = { players: 30, seed: 3 };
const NOW = '2026-11-20T03:00:00Z';

const SQL = `
  -- grain: one row
  select
    (select count_if(state = 'on') from screen_status) as screens_on,
    (select count_if(state = 'off') from screen_status) as screens_off,
    (select count_if(state = 'stale') from screen_status) as screens_stale,
    (select count_if(state = 'unknown') from screen_status) as screens_unknown,
    (select count_if(health = 'never seen') from player_health) as never_seen,
    (select count_if(health = 'offline') from player_health) as offline,
    (select sum(pending) from stuck_transfers) as pending,
    (select count(*) from stuck_transfers) as waiting,
    (select sum(used) from license_utilisation) as licenses_used,
    (select count_if(used_share is null) from license_utilisation) as licenses_without_total,
    (select sum(backup_slots_size) from daily_trend) as slots_size,
    (select sum(slot_used) from backup_usage) as used,
    (select count_if(is_never_backed_up) from backup_usage) as never_backed_up,
    (select round(sum(cost), 3) from backup_cost where price_key = 'storage.standard') as standard_cost`;

/** What a profile needs to be exported at all, without the types that the views can do without. */
function needed(fragment: SourceFragment | undefined): object {
  const resources = Object.entries(fragment?.resources ?? {}).flatMap(([name, { items }]) =>
    items === undefined ? [] : [[name, { items }]],
  );
  return { ...fragment, ...(fragment?.resources && { resources: Object.fromEntries(resources) }) };
}

/** What the views say of a profile's world. */
async function figuresOf(name: string): Promise<readonly unknown[]> {
  const simulator = await startSimulator({ ...WORLD, profile: name, startDate: NOW.slice(0, 10) });
  const settings = comparabilityOf(profileNamed(name))?.settings;
  const config = labConfig(simulator.url, {
    signage: needed(settings?.signage),
    backup: needed(settings?.backup),
  });
  await using lake = await clockedLake(config, labSecrets(simulator));
  await lake.run(NOW);
  await simulator.close();
  return await lake.rows(SQL);
}

describe('the views', () => {
  let reference: readonly unknown[];
  beforeAll(async () => {
    reference = await figuresOf('reference');
  });

  // test/slow/figures-truth.test.ts sees that what they say of reference is true.
  it.each(['backup-2023', 'odata', 'legacy-dotnet', 'camel-local', 'guid-drf', 'keyed-map'])(
    'say of %s what they say of the same world in the words of reference',
    async (name) => {
      expect(await figuresOf(name)).toEqual(reference);
    },
  );

  it('find something of everything in that world', () => {
    const figures = Object.entries(reference[0] ?? {});
    expect(figures.filter(([, figure]) => !(Number(figure) > 0)).map(([name]) => name)).toEqual([]);
  });
});
