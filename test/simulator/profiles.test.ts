import { describe, expect, it } from 'vitest';
import { pairwiseProfiles } from '#simulator/profiles/pairwise.ts';
import { PROFILES, profileNamed } from '#simulator/profiles/table.ts';
import { startSimulator } from '#simulator/server.ts';

const SEED = 4;
const NAMED = PROFILES.filter((profile) => profile.comparability !== undefined);

describe('pairwise profiles', () => {
  const profiles = pairwiseProfiles(SEED);

  it('are about a hundred, the same for the same seed', () => {
    expect(profiles.length).toBeGreaterThan(80);
    expect(profiles.length).toBeLessThan(120);
    expect(profileNamed('pairwise:7', SEED).comparability?.class).toBe(profiles[7]?.comparability?.class);
  });
});

describe('comparability', () => {
  it('says what stands between each profile and reference', () => {
    expect(Object.fromEntries(NAMED.map((profile) => [profile.name, profile.comparability?.class]))).toEqual({
      reference: 'identical',
      'backup-2023': 'needs setting',
      'paged-standard': 'identical',
      odata: 'identical',
      marker: 'identical',
      cursor: 'needs setting',
      'limit-skip': 'identical',
      'link-header': 'needs setting',
      'legacy-dotnet': 'identical but for ids',
      'camel-local': 'needs setting',
      'guid-drf': 'identical but for ids',
      'keyed-map': 'needs setting',
    });
  });

  it('gives the setting', () => {
    const settings = (name: string) => profileNamed(name, 1).comparability?.settings;
    expect(settings('camel-local')).toEqual({
      signage: { timeZone: 'Europe/Berlin' },
      backup: { timeZone: 'Europe/Berlin' },
    });
    expect(settings('cursor')).toEqual({ signage: { resources: { app_groups: { items: '{}' } } } });
    expect(settings('backup-2023')).toEqual({ backup: { product: 'backups', versions: { slots: 1 } } });
  });

  it('meets each of the three shapes of the three unpublished bodies', () => {
    const shapes = NAMED.flatMap((profile) => profile.comparability?.reshaped ?? []);
    expect(new Set(shapes)).toEqual(new Set(['app_groups', 'pending_file_transfers', 'backup_pricing']));
  });
});

it('names the profiles there are where one is unknown', async () => {
  await expect(startSimulator({ profile: 'soap' })).rejects.toThrow(
    /'soap' is unknown; known are reference, .*pairwise:0/,
  );
});
