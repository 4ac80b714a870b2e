import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DAYS, drawLife, type Life } from './life.ts';
import { lifeLab } from './life-lab.ts';
import { NAMED_LIVES } from './named-lives.ts';
import { shortOf, shrunk } from './shrink.ts';
import { createTally } from './tally.ts';

/** `npm run healthy -- [--named | --lives 50 --seed 1 [--only FORM] [--life N] [--from N]] [--shrink N] [--out FILE]`: lives of installations that hide nothing; each alarm is a false one. */
const { values } = parseArgs({
  options: {
    named: { type: 'boolean', default: false },
    lives: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    life: { type: 'string' },
    from: { type: 'string', default: '0' },
    /** Of so many classes of alarms the first life is made small. */
    shrink: { type: 'string', default: '3' },
    /** A file for a JSON line of each life. */
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);
const first = Number(values.life ?? values.from);
const count = values.life === undefined ? Number(values.lives) : 1;
const drawn = Array.from({ length: count }, (_, index): [string, Life] => [
  `life ${first + index}`,
  drawLife({ seed, number: first + index, only: values.only }),
]);
const lives = values.named ? Object.entries(NAMED_LIVES) : drawn;

await using lab = await lifeLab();
const tally = createTally();
const failed = new Map<string, { readonly name: string; readonly life: Life }>();
for (const [name, life] of lives) {
  const lived = await lab.live(life);
  tally.add(life, lived);
  if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify({ name, life, ...lived })}\n`);
  const [alarm] = lived.alarms;
  if (alarm === undefined) continue;
  console.log(`${name}, ${shortOf(life)}`);
  const classes = Map.groupBy(lived.alarms, ({ kind }) => kind);
  for (const [kind, alarms] of classes) {
    const days = alarms.map(({ day }) => day + 1).join(', ');
    console.log(`  day ${days}: ${kind}: ${alarms[0]?.says.slice(0, 300)}`);
  }
  if (!failed.has(alarm.kind)) failed.set(alarm.kind, { name, life });
}
for (const [kind, { name, life }] of [...failed].slice(0, Number(values.shrink))) {
  const small = await shrunk(lab, life, kind);
  console.log(`\n${name} made small: ${shortOf(small.life)}`);
  console.log(`  day ${small.alarm.day + 1}: ${kind}: ${small.alarm.says.slice(0, 600)}`);
  console.log(`  ${JSON.stringify(small.life)}`);
}
const which = values.named ? 'the named lives' : `seed ${seed}, lives ${first} to ${first + count - 1}`;
console.log(`\n${which}, ${DAYS} days each\n${tally.text()}`);
process.exitCode = failed.size === 0 ? 0 : 1;
