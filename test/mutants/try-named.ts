import { styleText } from 'node:util';
import { brokenCopy, tierOf } from './broken-copy.ts';
import type { NamedMutant } from './named/named-mutant.ts';
import { NAMED_MUTANTS } from './named-mutants.ts';

/*
 * Puts each wrong line of named-mutants.ts into a copy of the repository. Runs the tests of its promise, and says
 * whether one fails: `npm run mutants:named`, or with the names of some. Exits with 1 if one survives. It does so too
 * if a test is red without any wrong line, because that proves nothing.
 */

const names = process.argv.slice(2);
// That the model fails is enough: how it could do so in fewer steps takes long.
process.env['MODEL_SHRINK'] = '0';
const unknown = names.filter((name) => NAMED_MUTANTS.every((mutant) => mutant.name !== name));
if (unknown.length > 0) throw new Error(`There is no such mutant: ${unknown.join(', ')}`);
const mutants = NAMED_MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));

await using copy = await brokenCopy();
const began = performance.now();
const survivors: NamedMutant[] = [];
for (const [tier, files] of byTier(mutants.flatMap(({ noticedBy }) => noticedBy))) {
  const { isGreen, failed } = await copy.test(tier, files);
  if (!isGreen) throw new Error(`Red without a wrong line, so nothing is proved: ${failed}`);
}
say(`the tests are green without a wrong line (${secondsSince(began)} s)`);
for (const mutant of mutants) {
  const start = performance.now();
  const by = await noticedBy(mutant);
  if (by === undefined) survivors.push(mutant);
  const end = by === undefined ? styleText('red', 'SURVIVED') : 'noticed';
  say(`${mutant.name}: ${end} (${secondsSince(start)} s)${by === undefined ? '' : ` by ${by}`}`);
}
say(`${mutants.length - survivors.length} of ${mutants.length} noticed (${secondsSince(began)} s)`);
for (const { name, fault, file } of survivors) say(`survived: ${name}, ${file}: ${fault}`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/** The first test that fails on the wrong line; undefined where all are green. */
async function noticedBy({ file, from, to, noticedBy: tests }: NamedMutant): Promise<string | undefined> {
  return await copy.whileBroken(
    file,
    (text) => text.replace(from, () => to),
    async () => {
      for (const [tier, files] of byTier(tests)) {
        const { isGreen, failed } = await copy.test(tier, files);
        if (!isGreen) return failed;
      }
      return undefined;
    },
  );
}

/** The test files of each tier, the fast one first. */
function byTier(tests: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sorted = [...new Set(tests)].sort(
    (a, b) => Number(tierOf(a) !== 'fast') - Number(tierOf(b) !== 'fast'),
  );
  return Map.groupBy(sorted, tierOf);
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 1000);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
