import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Question } from '#lib/sources/question.ts';
import { checkWrite } from '../cli/support.ts';
import { type ExportLab, exportLab, labFile } from '../support/export-lab.ts';
import { FIELDS, otherVendor, WORDS } from '../support/other-vendor.ts';
import { candidatesOf } from '../support/role-candidates.ts';

const WORLD = { players: 40, seed: 7 };

interface Said {
  readonly roles: readonly Question[];
  readonly settings: object;
}

/** What `check --write --json` says of the signage API of a lab that is served under another address. */
async function checked(lab: ExportLab, baseUrl: string): Promise<Said> {
  const file = join(lab.folder, 'export.config.json');
  await writeFile(file, labFile(lab.simulator.url, { signage: { baseUrl } }).text);
  const secrets = { 'lab/berlin': lab.simulator.secrets.signage, 'lab/vault': lab.simulator.secrets.backup };
  return JSON.parse(await checkWrite(file, secrets, '--json'));
}

describe('check names what may fill the columns that views ask for', () => {
  it('nothing is asked of an API that calls them so', async () => {
    await using lab = await exportLab(WORLD);
    const said = await checked(lab, lab.simulator.url);
    expect(said.roles).toEqual([]);
    expect(said.settings).toEqual({});
  });

  it("what a view cannot do without is among the candidates for another vendor's names and words, and none is written", async () => {
    await using lab = await exportLab(WORLD);
    await using vendor = await otherVendor(lab.simulator.url);
    const said = await checked(lab, vendor.url);
    const truth = [
      ['screens', 'IsOn'],
      ['screens', 'LastUpdate'],
      ['players', 'LastAccess'],
      ['licenses', 'TotalCount'],
      ['licenses', 'AvailableCount'],
    ] as const;
    for (const [resource, field] of truth) {
      const [called = '', role = ''] = FIELDS[field] ?? [];
      const candidates = candidatesOf(said, resource, role);
      const words = WORDS[field];
      const wanted = { as: role, ...(words && { values: words }) };
      expect([role, candidates[called.toLowerCase()]]).toEqual([role, expect.arrayContaining([wanted])]);
      expect(Object.keys(candidates).length).toBeLessThan(6);
    }
    // Two columns of text have the same type, which proves nothing. Only a common word in their names does.
    expect(candidatesOf(said, 'players', 'city')).toEqual({});
    expect(said.settings).toEqual({});
  });
});
