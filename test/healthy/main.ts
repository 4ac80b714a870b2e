import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DAYS, drawLife } from './life.ts';
import { lifeLab } from './life-lab.ts';
import { shortOf, shrunk } from './shrink.ts';
import { createTally } from './tally.ts';

/** `npm run healthy -- --lives 50 --seed 1 [--only FORM] [--life N] [--from N] [--shrink N] [--out FILE]`: lives of installations that hide nothing; each alarm is a false one. */
const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    life: { type: 'string' },
    from: { type: 'string', default: '0' },
    /** The first lives of so many classes of alarms are made small. */
    shrink: { type: 'string', default: '3' },
    /** A file for a JSON line of each life. */
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);
const first = Number(values.life ?? values.from);
const count = values.life === undefined ? Number(values.lives) : 1;
await using lab = await lifeLab();
const tally = createTally();
const failed = new Map<string, { readonly number: number; readonly kind: string }>();
for (let number = first; number < first + count; number++) {
  const life = drawLife({ seed, number, only: values.only });
  const lived = await lab.live(life);
  tally.add(life, lived);
  if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify({ number, life, ...lived })}\n`);
  const [alarm] = lived.alarms;
  if (alarm === undefined) continue;
  console.log(
    `life ${number}, ${shortOf(life)}: day ${alarm.day + 1}: ${alarm.kind}: ${alarm.says.slice(0, 300)}`,
  );
  if (values.life !== undefined)
    for (const each of lived.alarms) console.log(`  day ${each.day + 1}: ${each.kind}: ${each.says}`);
  if (!failed.has(alarm.kind)) failed.set(alarm.kind, { number, kind: alarm.kind });
}
for (const { number, kind } of [...failed.values()].slice(0, Number(values.shrink))) {
  const small = await shrunk(lab, drawLife({ seed, number, only: values.only }), kind);
  console.log(`\nlife ${number} made small: ${shortOf(small.life)}: day ${small.alarm.day + 1}: ${kind}`);
  console.log(`  ${small.alarm.says.slice(0, 600)}\n  ${JSON.stringify(small.life)}`);
}
console.log(`\nseed ${seed}, lives ${first} to ${first + count - 1} of ${DAYS} days\n${tally.text()}`);
process.exitCode = failed.size === 0 ? 0 : 1;
