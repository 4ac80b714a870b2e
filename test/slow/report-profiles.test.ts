import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#simulator/json.ts';
import { profileNamed } from '#simulator/profiles/table.ts';
import { startSimulator } from '#simulator/server.ts';
import { createWorld } from '#simulator/world/world.ts';
import { comparabilityOf, type SourceFragment } from '../dialects/support/comparability.ts';
import { clockedLake } from '../queries/clocked-lake.ts';
import { labConfig } from '../support/export-lab.ts';

const WORLD = { players: 30, seed: 3 };
const NOW = '2026-11-20T03:00:00Z';
const EIGHT_HOURS_MS = 8 * 3_600_000;

type Figures = Readonly<Record<string, number | null>>;

/** What the views must say, counted from the simulator's truth by other means than SQL. */
function truth(): Figures {
  const snapshot = createWorld(WORLD).at(0);
  const players = snapshot.records('players');
  const children = (resource: 'screens' | 'pending_file_transfers') =>
    players.map((player) => snapshot.records(resource, Number(player.Id)));
  const age = (time: unknown) => (typeof time === 'string' ? Date.parse(NOW) - Date.parse(time) : undefined);
  const state = (screen: JsonObject) => {
    const silence = age(screen.LastUpdate);
    if (silence === undefined) return 'unknown';
    if (silence > EIGHT_HOURS_MS) return 'stale';
    return screen.IsOn === true ? 'on' : 'off';
  };
  const screens = children('screens').flat().map(state);
  const pending = children('pending_file_transfers');
  const slots = [...snapshot.all('backup_slots')].map(({ record }) => record);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const seen = players.map((player) => age(player.LastAccess) ?? 0);
  const isNever = (silence: number) => silence > 365 * 86_400_000;
  const licenses = snapshot.records('licenses');
  return {
    screens_on: screens.filter((each) => each === 'on').length,
    screens_off: screens.filter((each) => each === 'off').length,
    screens_stale: screens.filter((each) => each === 'stale').length,
    screens_unknown: screens.filter((each) => each === 'unknown').length,
    never_seen: seen.filter(isNever).length,
    offline: seen.filter((silence) => silence > EIGHT_HOURS_MS && !isNever(silence)).length,
    pending: sum(pending.map((each) => each.length)),
    waiting: pending.filter((each) => each.length > 0).length,
    licenses_used: sum(licenses.map((each) => Number(each.TotalCount) - Number(each.AvailableCount))),
    licenses_without_total: licenses.filter((each) => each.TotalCount === 0).length,
    reserved: sum(slots.map((slot) => Number(slot.size))),
    used: sum(slots.map((slot) => Number(slot.storage_used))),
    never_backed_up: slots.filter((slot) => slot.storage_used === 0).length,
    standard_cost: Math.round((sum(slots.map((slot) => Number(slot.size))) / 1e9) * 0.0125 * 1000) / 1000,
  };
}

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
    (select sum(backup_reserved) from daily_trend) as reserved,
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

describe('the views', () => {
  it.each(['reference', 'backup-2023', 'odata', 'legacy-dotnet', 'camel-local', 'guid-drf', 'keyed-map'])(
    'say of %s what the simulator knows to be true',
    async (name) => {
      const simulator = await startSimulator({ ...WORLD, profile: name, startDate: NOW.slice(0, 10) });
      const settings = comparabilityOf(profileNamed(name))?.settings;
      const config = labConfig(simulator.url, {
        signage: needed(settings?.signage),
        backup: needed(settings?.backup),
      });
      await using lake = await clockedLake(config, {
        read: async (secret) =>
          secret === 'lab/vault' ? simulator.secrets.backup : simulator.secrets.signage,
      });
      await lake.run(NOW);
      await simulator.close();
      const [figures] = await lake.rows(SQL);
      expect(figures).toEqual(truth());
    },
  );
});
