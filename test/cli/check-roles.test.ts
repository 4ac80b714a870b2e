import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Question } from '#lib/sources/question.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { candidatesOf } from '../support/role-candidates.ts';
import { checkWrite } from './support.ts';

describe('check of few fields', () => {
  const ROUTES = {
    [`${SIGNAGE}/Players`]: {
      body: JSON.stringify([1, 2, 3, 4].map((Id) => ({ Id, LastAccessedAt: `2026-11-2${Id}T03:00:00Z` }))),
    },
    ...Object.fromEntries(
      [1, 2, 3, 4].map((id) => [
        `${SIGNAGE}/Players/${id}/Screens`,
        { body: JSON.stringify([{ Id: id * 10, IsOn: id % 2 === 0 ? 'yes' : 'no', Secret: 'pin-7' }]) },
      ]),
    ),
  };
  const SECRETS = {
    'lab/mask': { key: 'a key of masks, for tests alone' },
    'lab/berlin': { apiKey: 'fixture-key' },
    'lab/vault': { accessToken: 'fixture-token' },
  };
  /** What check says with settings of the source, and the config that it leaves. */
  const checkedFixture = async (signage: object, routes: object = ROUTES) => {
    await using lab = await fixtureLab({ ...routes }, { signage, config: { maskSecret: 'lab/mask' } });
    const file = join(lab.folder, 'export.config.json');
    await writeFile(file, lab.written.text);
    const said: { readonly roles: readonly Question[] } = JSON.parse(
      await checkWrite(file, SECRETS, '--json'),
    );
    return { ...said, config: JSON.parse(await readFile(file, 'utf8')).sources[0] };
  };

  it('writes the one that stands alone and has the words of the role, beside what is set of it', async () => {
    const { config, roles } = await checkedFixture({
      resources: { players: { columns: { last_accessed_at: { type: 'timestamp' } } } },
    });
    expect(config.resources.players.columns).toEqual({
      last_accessed_at: { type: 'timestamp', as: 'last_access' },
    });
    expect(roles.filter(({ column }) => column === 'last_access')).toEqual([]);
  });

  it('asks for the words of a column that has the name alone', async () => {
    const said = await checkedFixture({});
    expect(candidatesOf(said, 'screens', 'is_on')).toEqual({
      is_on: [{ values: { no: true, yes: false } }, { values: { no: false, yes: true } }],
    });
  });

  it('of numbers whose names say nothing the greatest is the likeliest whole, and the next its part', async () => {
    const licenses = [1, 2, 3].map((Id) => ({ Id, Frei: 4 * Id, Rang: Id, Gesamt: 10 * Id }));
    const said = await checkedFixture(
      {},
      { ...ROUTES, [`${SIGNAGE}/Licenses`]: { body: JSON.stringify(licenses) } },
    );
    const order = (role: string) => Object.keys(candidatesOf(said, 'licenses', role));
    expect(order('total_count')).toEqual(['gesamt', 'frei', 'rang']);
    expect(order('available_count')).toEqual(['frei', 'rang', 'gesamt']);
    const says = (role: string) => said.roles.find(({ column }) => column === role)?.says;
    expect(says('total_count')).toMatch(/By its values gesamt is the likeliest: it is the greatest$/);
    expect(says('available_count')).toMatch(
      /By its values frei is the likeliest: it is the greatest that is not the whole$/,
    );
    expect(said.config.resources?.licenses).toBeUndefined();
  });

  it.each(['drop', 'mask'])('names nothing that the config hides: %s', async (how) => {
    const said = await checkedFixture({ resources: { screens: { [how]: ['IsOn'] } } });
    expect(JSON.stringify(said.roles)).not.toContain('yes');
  });
});
