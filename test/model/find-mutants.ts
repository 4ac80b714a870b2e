import { brokenCopy } from '../mutants/broken-copy.ts';
import { MUTANTS } from './mutants.ts';

/*
 * Takes one fix after another out of a copy of the code, and says whether the model notices: `npm run mutants:model
 * [NAME…]`. MODEL_SEQUENCES, MODEL_SEED and MODEL_KINDS go to the model. Exits with 1 if one is not noticed.
 */

const names = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));
if (chosen.length === 0) throw new Error(`name one of ${MUTANTS.map(({ name }) => name).join(', ')}`);

process.env['MODEL_SHRINK'] = '0';
await using copy = await brokenCopy();
for (const { name, fault, file, from, to } of chosen) {
  const began = Date.now();
  const { isGreen } = await copy.whileBroken(
    file,
    (text) => text.replace(from, () => to),
    () => copy.test('slow', ['test/slow/model.test.ts']),
  );
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`${name.padEnd(16)} ${isGreen ? 'not noticed' : 'noticed'}, ${seconds} s: ${fault}\n`);
  if (isGreen) process.exitCode = 1;
}
