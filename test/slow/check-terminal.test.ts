import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTerminal, placesOf, typedOnTerminal } from '../cli/support.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

describe.runIf(hasTerminal)('check on a terminal', () => {
  it('asks yes or no, writes what is said, and the next run publishes', async () => {
    const records = Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, Name: `G${index}` }));
    const groups = { body: JSON.stringify({ data: records, pageToken2: 'x7f3a9c1e5' }) };
    await using lab = await signageLab({ [`${SIGNAGE}/AppGroups`]: groups }, SIGNAGE_ALONE);
    const first = await lab.run('2026-11-20T03:00:00Z');
    expect(first.status).not.toBe('complete');
    const words = ['check', ...(await placesOf(lab))];
    const { said } = await typedOnTerminal(words, [['Is this true', '\u001b[B\r']], { columns: 200 });
    expect(said).toContain('sources[0].resources.app_groups');
    const [source] = JSON.parse(await readFile(join(lab.folder, 'config.json'), 'utf8')).sources;
    expect(Object.keys(source.resources.app_groups)).toHaveLength(1);
    const second = await lab.run('2026-11-21T03:00:00Z', undefined, { ...SIGNAGE_ALONE, signage: source });
    expect([second.status, second.tables['app_groups']?.rows]).toEqual(['complete', 12]);
  });
});
