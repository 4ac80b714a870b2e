import { parseArgs } from 'node:util';
import { shortOf, shrunk } from '../healthy/shrink.ts';
import { changeLab } from './change-lab.ts';
import { type ChangedLife, drawChanged, fits, nameOf } from './draw-change.ts';

/** `npm run meaning -- [--lives 500] [--seed 1] [--from N] [--shrink N]`: healthy lives, each with one change of meaning on its second day. */
const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    /** Of so many classes of failures the first life is made small. */
    shrink: { type: 'string', default: '3' },
    verbose: { type: 'boolean', default: false },
  },
});
const [seed, first, count] = [Number(values.seed), Number(values.from), Number(values.lives)];
await using lab = await changeLab();
const kinds = new Map<string, number>();
const failed = new Map<string, ChangedLife>();
let reported = 0;
let calm = 0;
for (let number = first; number < first + count; number++) {
  const changed = drawChanged({ seed, number });
  const lived = await lab.live(changed);
  if (lived.missed.length === 0) reported++;
  if (lived.false.length === 0) calm++;
  if (values.verbose)
    console.log(`${number}: ${nameOf(changed)}\n  ${JSON.stringify(lived.told).slice(0, 1000)}`);
  const alarms = [
    ...lived.false.map((each) => ({ ...each, kind: `false: ${each.kind}` })),
    ...lived.missed.map((each) => ({ ...each, kind: `missed: ${each.kind}` })),
  ];
  if (alarms.length > 0) console.log(`life ${number}: ${nameOf(changed)} (${shortOf(changed.life)})`);
  for (const { day, kind, says } of alarms) {
    console.log(`  day ${day + 1}: ${kind}: ${says.slice(0, 700)}`);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (!failed.has(kind)) failed.set(kind, changed);
  }
}
for (const [kind, { life, change }] of [...failed].slice(0, Number(values.shrink))) {
  const own = kind.replace(/^(false|missed): /, '');
  const live = async (candidate: ChangedLife['life']) => {
    const changed = { life: candidate, change };
    const lived = fits(changed) ? await lab.live(changed) : undefined;
    return { alarms: [...(lived?.false ?? []), ...(lived?.missed ?? [])], requests: 0, cpu: 0 };
  };
  const small = await shrunk({ live }, life, own);
  console.log(`\n${kind} made small: ${nameOf({ life, change })}; ${shortOf(small.life)}`);
  console.log(`  ${JSON.stringify({ life: small.life, change: nameOf({ life, change }) })}`);
}
const { user, system } = process.cpuUsage();
console.log(
  `\nseed ${seed}, lives ${first} to ${first + count - 1}: ${reported} of ${count} changes reported, ${calm} of ${count} lives without one are calm; ${((user + system) / 1_000_000 / count).toFixed(2)} s of CPU each`,
);
for (const [kind, times] of [...kinds].toSorted(([, a], [, b]) => b - a)) console.log(`  ${times}  ${kind}`);
process.exitCode = reported === count && calm === count ? 0 : 1;
