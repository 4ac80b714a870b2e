import { type Measured, measure, serve } from '../child.ts';
import type { LoopArgument } from '../children/loop.ts';
import { middleOf } from '../children/report.ts';
import type { RunArgument, RunMeasured } from '../children/run.ts';
import type { Extent } from '../extent.ts';
import type { Figure } from '../figures.ts';
import { PHASES } from '../phases.ts';

/** The memory of DuckDB, and that of the rest of the process. */
const PUBLISH_PEAK_MIB = 1024 + 300;
const CONCURRENCY = 50;
const AT = '2026-11-20T03:00:00Z';

/** A fleet, the wait of each answer, and how often each is measured. */
interface Size {
  readonly players: number;
  readonly latencyMs: number;
  readonly rounds: number;
}
const SIZES: readonly Size[] = [
  { players: 1010, latencyMs: 20, rounds: 5 },
  { players: 10_010, latencyMs: 20, rounds: 3 },
  { players: 10_010, latencyMs: 0, rounds: 5 },
  { players: 100_010, latencyMs: 0, rounds: 1 },
];
const QUICK: readonly Size[] = [
  { players: 210, latencyMs: 20, rounds: 1 },
  { players: 1010, latencyMs: 0, rounds: 1 },
];

/** What the processes of one round measured. */
interface Round {
  readonly run: Measured<RunMeasured>;
  readonly undici: Loop;
  readonly ky: Loop;
  readonly former: Measured<RunMeasured> | null;
}
type Loop = Measured<{ readonly seconds: number }>;

/**
 * Whole runs by phase. In the same minutes, the same server answers a bare undici loop, a bare ky loop and the run of
 * a former commit. Figures are medians.
 */
export async function benchRuns(extent: Extent): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  let least: number | undefined;
  for (const size of extent.isQuick ? QUICK : SIZES) {
    const rounds = await roundsOf(size, extent);
    const of = (value: (round: Round) => number) => middleOf(rounds.map(value));
    const name = `${size.players} players, ${size.latencyMs} ms`;
    least ??= of(({ run }) => run.collectPeakMiB);
    figures.push(
      ...phaseFigures(name, of),
      ...wholeFigures({ size, name, former: extent.former?.commit }, of, rounds[0]?.run.requests ?? 0),
      {
        section: 'memory',
        name: `children, ${size.players} players`,
        value: of(({ run }) => run.collectPeakMiB),
        unit: 'MiB',
        floor: { name: 'that of the fewest players', value: least },
        goal: { of: 'ratio', most: 1.3 },
      },
      {
        section: 'memory',
        name: `whole run, ${size.players} players`,
        value: of(({ run }) => run.peakMiB),
        unit: 'MiB',
        ...formerFloor(extent.former?.commit, of, ({ peakMiB }) => peakMiB),
        goal: { of: 'value', most: PUBLISH_PEAK_MIB },
      },
    );
  }
  return figures;
}

async function roundsOf({ players, latencyMs, rounds }: Size, { folder, former }: Extent): Promise<Round[]> {
  using server = await serve({ players, latencyMs, screensPerPlayer: 3, transfersPerPlayer: 10 });
  const loop: LoopArgument = { ...server, concurrency: CONCURRENCY };
  const argument = (): RunArgument => ({ ...loop, lake: folder(), at: AT, leaves: true });
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++)
    measured.push({
      undici: await measure('undici-loop', loop),
      run: await measure('run', argument()),
      former: former === undefined ? null : await measure('run', argument(), former.root),
      ky: await measure('ky-loop', loop),
    });
  return measured;
}

type MedianOf = (value: (round: Round) => number) => number;

/** Each phase with its time, and with its CPU behind it. */
function phaseFigures(name: string, of: MedianOf): Figure[] {
  const phases = PHASES.map((phase): Figure => {
    const cpu = of(({ run }) => run.phases[phase].cpuSeconds);
    const value = of(({ run }) => run.phases[phase].seconds);
    return { section: phase, name, value, unit: 's', floor: { name: 'its CPU', value: cpu } };
  });
  const inside = ({ phases: all }: RunMeasured) =>
    Object.values(all).reduce((sum, { seconds }) => sum + seconds, 0);
  const exit = of(({ run }) => run.processSeconds - inside(run));
  return [...phases, { section: 'exit', name, value: exit, unit: 's' }];
}

/** The whole run behind its calls alone, the ideal, and the former commit's run. */
function wholeFigures(
  { size, name, former }: { readonly size: Size; readonly name: string; readonly former: string | undefined },
  of: MedianOf,
  requests: number,
): Figure[] {
  const whole = { section: 'whole run', name, value: of(({ run }) => run.seconds), unit: 's' } as const;
  const ideal = (requests * size.latencyMs) / CONCURRENCY / 1000;
  const cpu = { ...whole, section: 'whole run, CPU', value: of(({ run }) => cpuOf(run)) };
  const isLarge = size.players > 10_000 && size.latencyMs > 0;
  return [
    { ...whole, floor: { name: 'bare undici loop', value: of(({ undici }) => undici.seconds) } },
    { ...whole, floor: { name: 'bare ky loop', value: of(({ ky }) => ky.seconds) } },
    { ...cpu, floor: { name: 'bare undici loop', value: of(({ undici }) => undici.cpuSeconds) } },
    ...(ideal > 0
      ? [
          {
            ...whole,
            floor: { name: 'ideal', value: ideal },
            ...(isLarge && { goal: { of: 'ratio', most: 1.25 } as const }),
          },
        ]
      : []),
    ...(former === undefined
      ? []
      : [
          { ...whole, ...formerFloor(former, of, ({ seconds }) => seconds) },
          { ...cpu, ...formerFloor(former, of, cpuOf) },
        ]),
  ];
}

function formerFloor(
  commit: string | undefined,
  of: MedianOf,
  value: (run: Measured<RunMeasured>) => number,
): Pick<Figure, 'floor'> {
  if (commit === undefined) return {};
  return {
    floor: { name: commit, value: of(({ former }) => (former === null ? Number.NaN : value(former))) },
  };
}

/** CPU without lake.duckdb, which older commits do not leave here. */
function cpuOf({ cpuSeconds, phases }: Measured<Partial<Pick<RunMeasured, 'phases'>>>): number {
  return cpuSeconds - (phases?.['lake.duckdb'].cpuSeconds ?? 0);
}
