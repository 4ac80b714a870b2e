import { expect, it } from 'vitest';
import { drawLife } from '../clocks/life.ts';
import { live } from '../clocks/live.ts';

/** `npm run clocks` lives 500, and `CLOCKS_SEED` draws others. */
const LIVES = Number(process.env['CLOCKS'] ?? 10);
const SEED = Number(process.env['CLOCKS_SEED'] ?? 1);

it(`no wrong clock takes anything away, and no right one is refused, in ${LIVES} lives of seed ${SEED}`, {
  timeout: 7_200_000,
}, async () => {
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  for (let number = 0; number < LIVES; number++) {
    const life = drawLife(SEED, number);
    const { ends, alarms } = await live(life);
    for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
    if (alarms.length > 0) wrong.push(`life ${number}: ${alarms.join('; ')} in ${JSON.stringify(life)}`);
  }
  const said = [...counts].sort().map(([end, count]) => `${end} ${count}`);
  process.stdout.write(`clocks: seed ${SEED}, ${LIVES} lives; ${said.join(', ')}\n`);
  expect(wrong).toEqual([]);
  expect([...counts.keys()]).toEqual(
    expect.arrayContaining(['committed', 'believed', 'refused', 'rolled back']),
  );
});
