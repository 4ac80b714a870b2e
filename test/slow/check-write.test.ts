import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#lib/config/parse-config.ts';
import { PROFILES } from '#simulator/profiles/table.ts';
import { checkWrite } from '../cli/support.ts';
import { comparabilityOf } from '../dialects/support/comparability.ts';
import { exportLab, labFile } from '../support/export-lab.ts';

describe('check --write, then run: whole', () => {
  const needing = PROFILES.filter(
    (profile) => Object.keys(comparabilityOf(profile)?.settings ?? {}).length > 0,
  );

  it.each(needing.map(({ name }) => name))('%s', async (profile) => {
    await using lab = await exportLab({ players: 12, pageSize: 8, seed: 3, profile });
    const { simulator, folder } = lab;
    const file = join(folder, 'export.config.json');
    await writeFile(file, labFile(simulator.url).text);
    const secrets = { 'lab/berlin': simulator.secrets.signage, 'lab/vault': simulator.secrets.backup };
    const { questions } = JSON.parse(await checkWrite(file, secrets, '--json'));
    const config = await readConfig(file);
    const { status, sources } = await lab.run('2026-11-20T03:00:00Z', { config });
    expect(status).toBe('complete');
    const codes = (all: readonly { readonly code: string }[]) => [...new Set(all.map(({ code }) => code))];
    // Only a person knows the zone.
    expect(codes(sources.flatMap((source) => source.questions))).toEqual(codes(questions));
    expect(['TIME_ZONE_UNKNOWN', undefined]).toContain(codes(questions)[0]);
    // What was written is nothing to ask for any more, and a second look changes nothing.
    const before = await readFile(file, 'utf8');
    expect(JSON.parse(await checkWrite(file, secrets, '--json'))).toMatchObject({
      settings: {},
      written: [],
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});
