import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

/** What the first words of docs/run/deploy.md had before there was an emulator. */
const WORDS_BEFORE = 123;

it('docs/run/deploy.md says what no emulator proves, in fewer words than before there was one', async () => {
  const [, begin = ''] = (await readFile('docs/run/deploy.md', 'utf8')).split(/^#+ .*$/m);
  const said = begin.replaceAll(/\s+/g, ' ');
  for (const what of ['resource policies', 'boundary', 'drivers', 'redrive', 'KMS', 'VPC', 'Lake Formation'])
    expect(said).toMatch(new RegExp(`No emulator proves: .*${what}`));
  expect(said.trim().split(' ').length).toBeLessThan(WORDS_BEFORE);
});
