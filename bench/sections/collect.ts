import { measure, serve } from '../child.ts';
import type { LoopArgument } from '../children/loop.ts';
import type { RunArgument, RunMeasured } from '../children/run.ts';
import type { Extent } from '../extent.ts';
import type { Figure } from '../figures.ts';

const CONCURRENCY = 50;
const AT = '2026-11-20T03:00:00Z';

/** The same listings by a bare undici loop, a bare ky loop and collect, at three latencies. */
export async function benchCollect({ isQuick, folder }: Extent): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const players = isQuick ? 1010 : 10_010;
  for (const latencyMs of isQuick ? [0, 20] : [0, 20, 200]) {
    // At 200 ms, 10,000 players would be 80 s of waiting for each of the three.
    const count = latencyMs === 200 ? players / 5 : players;
    using server = await serve({ players: count, latencyMs });
    const loop: LoopArgument = { ...server, concurrency: CONCURRENCY };
    const undici = await measure<Loop>('undici-loop', loop);
    const ky = await measure<Loop>('ky-loop', loop);
    const argument: RunArgument = { ...loop, lake: folder(), at: AT };
    const run = await measure<RunMeasured>('run', argument);
    const ideal = (run.requests * latencyMs) / CONCURRENCY / 1000;
    const name = `${count} players, ${latencyMs} ms`;
    const collect = { section: 'collect', name, value: run.collectSeconds, unit: 's' } as const;
    const whole = { ...collect, section: 'whole run', value: run.seconds };
    figures.push({ ...collect, floor: { name: 'bare undici loop', value: undici.seconds } });
    figures.push({
      ...collect,
      floor: { name: 'bare ky loop', value: ky.seconds },
      ...(latencyMs === 0 && { goal: { of: 'ratio', most: 1.7 } }),
    });
    if (latencyMs === 0) {
      figures.push({
        ...collect,
        section: 'collect, computing',
        value: run.collectCpuSeconds,
        floor: { name: 'bare ky loop', value: ky.cpuSeconds },
      });
    }
    if (latencyMs > 0) {
      figures.push({ ...collect, floor: { name: 'ideal', value: ideal } });
      figures.push({
        ...whole,
        floor: { name: 'ideal', value: ideal },
        ...(!isQuick && latencyMs === 20 && { goal: { of: 'ratio', most: 1.25 } }),
      });
    } else {
      figures.push({
        ...whole,
        floor: { name: 'bare undici loop', value: undici.seconds },
        ...(!isQuick && { goal: { of: 'value', most: 6 } }),
      });
    }
  }
  return figures;
}

interface Loop {
  readonly seconds: number;
}
