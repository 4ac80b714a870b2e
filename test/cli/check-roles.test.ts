import { describe, expect, it } from 'vitest';
import type { Question } from '#lib/sources/question.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';
import { checkWrite } from './support.ts';

/** The columns that a role's question names, each with what may be written for it. */
function candidatesOf({ roles }: { readonly roles: readonly Question[] }, resource: string, role: string) {
  const asked = roles.find((each) => each.resource === resource && each.column === role);
  return Object.fromEntries(
    (asked?.cures ?? []).map(({ setting, choices }) => [setting.split('.').at(-1), choices]),
  );
}

describe('check of few fields', () => {
  const ROUTES = fleetRoutes(
    [1, 2, 3, 4].map((Id) => ({ Id, LASTACCESS: `2026-11-2${Id}T03:00:00Z` })),
    (id) => [{ Id: id * 10, IsOn: id % 2 === 0 ? 'yes' : 'no', Secret: 'pin-7' }],
  );
  const of = (listing: string, records: readonly object[]) => ({
    [`${SIGNAGE}/${listing}`]: { body: JSON.stringify(records) },
  });
  /** What check says with settings of the source, and the config that it leaves. */
  const checkedFixture = async (signage: object, routes: object = ROUTES) => {
    await using lab = await fixtureLab({ ...routes }, { signage, config: { maskSecret: 'lab/mask' } });
    const { said, written } = await checkWrite(lab, '--json');
    const { roles }: { readonly roles: readonly Question[] } = JSON.parse(said);
    return { roles, config: JSON.parse(written).sources[0] };
  };

  it('writes the one that has the name of the role but for case and separators, beside what is set of it', async () => {
    const columns = { lastaccess: { type: 'timestamp' } };
    const { config, roles } = await checkedFixture({ resources: { players: { columns } } });
    const lastaccess = { type: 'timestamp', as: 'last_access' };
    expect(config.resources.players.columns).toEqual({ lastaccess });
    expect(roles).toEqual([]);
  });

  it('and the words of a column that has the name alone, where they are plain', async () => {
    const { config } = await checkedFixture({});
    expect(config.resources.screens.columns).toEqual({ is_on: { values: { no: false, yes: true } } });
    expect(config.resources.players.columns).toEqual({ lastaccess: { as: 'last_access' } });
  });

  it('looks for the name below the object that a record is wrapped in', async () => {
    const players = [1, 2, 3].map((id) => ({
      id,
      attributes: { lastAccess: `2026-11-2${id}T03:00:00Z`, city: `C${id}`, created: '2026-01-01T00:00:00Z' },
      group: { name: 'north' },
    }));
    const { config } = await checkedFixture({}, of('Players', players));
    expect(config.resources.players.columns).toEqual({
      attributes_last_access: { as: 'last_access' },
      attributes_city: { as: 'city' },
    });
  });

  it('but not the word that all records share, where another object has the name too', async () => {
    const sys = { type: 'Entry', revision: 3, version: 7, space: 1, locale: 'de' };
    const licenses = ['Basic', 'Pro'].map((type, id) => ({ sys: { id, ...sys }, fields: { type } }));
    const settings = { resources: { licenses: { id: 'sys.id' } } };
    const { config } = await checkedFixture(settings, of('Licenses', licenses));
    expect(config.resources.licenses.columns).toEqual({ fields_type: { as: 'type' } });
  });

  it('of other names those whose kind fits are named, and none is written', async () => {
    const licenses = [1, 2, 3].map((Id) => ({ Id, Frei: 4 * Id, Gesamt: 10 * Id }));
    const { config, ...said } = await checkedFixture({}, of('Licenses', licenses));
    expect(Object.keys(candidatesOf(said, 'licenses', 'total_count'))).toEqual(['frei', 'gesamt']);
    expect(config.resources).toBeUndefined();
  });

  it.each(['drop', 'mask'])('names nothing that the config hides: %s', async (how) => {
    const said = await checkedFixture({ resources: { screens: { [how]: ['IsOn'] } } });
    expect(JSON.stringify(said.roles)).not.toContain('yes');
  });
});
