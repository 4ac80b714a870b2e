/** The argument that the bench gave this process. */
export function argument<Shape>(): Shape {
  return JSON.parse(process.argv[2] ?? '{}') as Shape;
}

/** Seconds that a step takes. */
export async function timed(step: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await step();
  return (performance.now() - begun) / 1000;
}

/** The median of a step's results; the step is done `times` times, an odd number, one after the other. */
export async function medianOf(times: number, step: (index: number) => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let index = 0; index < times; index++) all.push(await step(index));
  return middleOf(all);
}

/** The median of an odd number of values; NaN without any. */
export function middleOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The most memory that this process ever held, in MiB. */
export function peakMiB(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** CPU seconds of this process so far, on all its threads. Other processes hardly change them, unlike the time. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Hands a result to the bench and ends the process. */
export function report(result: object): void {
  process.stdout.write(
    `${JSON.stringify({ ...result, peakMiB: peakMiB(), cpuSeconds: cpuSeconds() })}\n`,
    () => process.exit(),
  );
}
