import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { shapeReader } from './read-shape.ts';
import { isReal } from './real.ts';
import { shapeRunner } from './run-shape.ts';
import { createScore, isExplicit, showsPaging, worstOf } from './score.ts';
import { anyShape, type Shape } from './shape.ts';
import { isAskedAgain, steadyShape } from './steady.ts';

/** `npm run shapes -- --count 1000 --seed 1 [--runs | --check] [--show short | --show explicit | --steady --show again] [--most 10] [--at N] [--from N] [--only empty=text] [--world real | adversary]`: exports invented shapes without settings, and counts their ends by axis. */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '' },
    at: { type: 'string' },
    from: { type: 'string', default: '0' },
    most: { type: 'string', default: '5' },
    runs: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    steady: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    world: { type: 'string' },
  },
});
const isWanted = (shape: Shape) =>
  (values.world === undefined || isReal(shape) === (values.world === 'real')) &&
  values.only.every((axis) => {
    const [name = '', ...value] = axis.split('=');
    const own: unknown = Reflect.get(shape, name);
    return value
      .join('=')
      .split(',')
      .includes(own !== null && typeof own === 'object' ? 'some' : String(own));
  });
const shapes = fc.sample(anyShape.filter(isWanted), {
  numRuns: Number(values.count),
  seed: Number(values.seed),
});
const score = createScore();
await using reader = await shapeReader();
await using runner = await shapeRunner();
let shown = 0;
const checked: string[] = [];
const began = performance.now();
for (const [index, drawn] of shapes.entries()) {
  const shape = values.steady ? steadyShape(drawn) : drawn;
  if (index < Number(values.from)) continue;
  if (values.at !== undefined && index !== Number(values.at)) continue;
  if (values.check) {
    if (values.show === 'explicit' && !showsPaging(shape)) continue;
    const end = await runner.check(shape);
    checked.push(end);
    if (end !== 'whole') console.log(index, end);
    if (checked.length === Number(values.most)) break;
    continue;
  }
  const days = await (values.runs ? runner.run(shape) : reader.read(shape));
  score.add(shape, days);
  if (
    values.show === 'explicit' &&
    isExplicit(shape) &&
    days.some(({ verdict }) => verdict !== 'whole') &&
    shown++ < Number(values.most)
  )
    console.log(
      index,
      shape.wrapping,
      shape.style,
      shape.where,
      shape.param,
      JSON.stringify(shape.words[shape.style === 'token' ? 'token' : 'next']),
      JSON.stringify(shape.says),
      days.map(({ said }) => said.slice(0, 230)),
    );
  const again = values.steady && isAskedAgain(days) ? ['again'] : [];
  if (
    [worstOf(days), ...again].some((end) => values.show.split(',').includes(end)) &&
    shown++ < Number(values.most)
  ) {
    console.log(index, JSON.stringify(shape));
    for (const day of days) console.log(`   ${day.verdict} ${day.rounds} ${day.came} ${day.said}`);
  }
}
console.log(
  `seed ${values.seed}, ${values.count} shapes, ${Math.round((performance.now() - began) / 1000)} s`,
);
if (values.check)
  console.log(
    `whole after check --write: ${checked.filter((end) => end === 'whole').length} of ${checked.length}`,
  );
else console.log(score.text());
