import type { Writable } from 'node:stream';
import { progress as progressBar } from '@clack/prompts';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { logLine } from './log-file.ts';
import { progressChoice } from './progress-choice.ts';

type Output = Writable & { readonly isTTY?: boolean };

export interface Progress extends Disposable {
  readonly on: (event: ProgressEvent) => void;
  end(): void;
}

/** Shows the progress of a run on stderr: a bar on a terminal, lines elsewhere. `now` is in milliseconds. */
export function showProgress(output: Output = process.stderr, now = () => performance.now()): Progress {
  const count = progressCounts();
  const shows = displays(output, now);
  let ended = false;
  const end = () => {
    if (!ended) for (const show of shows) show.end();
    ended = true;
  };
  return {
    on: (event) => {
      const counts = count(event);
      for (const show of shows) show.update(event, counts);
    },
    end,
    [Symbol.dispose]: end,
  };
}

function displays(output: Output, now: () => number): readonly Display[] {
  const choice = progressChoice();
  const log = everyWhile(now, LINE_EVERY_MS, ({ stage }, counts) =>
    logLine({ level: 'info', stage, ...counts }),
  );
  if (choice === 'none') return [log];
  if (choice === 'lines') return [log, inManyLines(output, now)];
  return [log, output.isTTY ? onTerminal(output) : inLines(output, now)];
}

interface Counts {
  readonly records: number;
  /** Null if the total is not known: a sweep asks some items again. */
  readonly promised: number | null;
  readonly done: number;
}

function progressCounts(): (event: ProgressEvent) => Counts {
  const promised = new Map<string, number>();
  const asked = new Set<string>();
  let records = 0;
  let done = 0;
  return (event) => {
    if (event.stage === 'list') records += event.records;
    if (event.stage === 'listed' || event.stage === 'kept')
      promised.set(event.source, (promised.get(event.source) ?? 0) + event.items);
    if (event.stage === 'collect') asked.add(event.source);
    if (event.stage === 'collect' || event.stage === 'kept') done += event.done;
    const total = [...promised.values()].reduce((sum, items) => sum + items, 0);
    const isKnown = done <= total && [...asked].every((source) => promised.has(source));
    return { records, done, promised: isKnown ? total : null };
  };
}

interface Display {
  update(event: ProgressEvent, counts: Counts): void;
  end(): void;
}

function wordsOf(stage: ProgressEvent['stage'], { records, promised, done }: Counts): string {
  if (stage === 'list' || stage === 'listed') return `list: ${records} records`;
  if (stage !== 'collect' && stage !== 'kept') return stage;
  return promised === null ? `collect: ${done} listings` : `collect: ${done} of ${promised} listings`;
}

/** The bar is full while the run plans, publishes and commits. */
function onTerminal(output: Output): Display {
  const steps = 1000;
  const bar = progressBar({ max: steps, output });
  let shown = 0;
  bar.start('list');
  return {
    update: ({ stage }, counts) => {
      const { promised, done } = counts;
      const reached = promised === null ? shown : promised === 0 ? 0 : Math.floor((steps * done) / promised);
      bar.advance(reached - shown, wordsOf(stage, counts));
      shown = reached;
    },
    end: () => bar.stop('done'),
  };
}

const LINE_EVERY_MS = 5000;

/** Tells of the first event of each stage, and of the others after so long. */
function everyWhile(now: () => number, everyMs: number, tell: Display['update']): Display {
  let last = { stage: '', at: 0 };
  return {
    update: (event, counts) => {
      const at = now();
      if (event.stage === last.stage && at - last.at < everyMs) return;
      last = { stage: event.stage, at };
      tell(event, counts);
    },
    end: () => {},
  };
}

function inLines(output: Output, now: () => number): Display {
  return everyWhile(now, LINE_EVERY_MS, ({ stage }, counts) => output.write(`${wordsOf(stage, counts)}\n`));
}

/** A line for each listing, and one each second while children are asked for. */
function inManyLines(output: Output, now: () => number): Display {
  const began = now();
  const write = (text: string) =>
    output.write(`${((now() - began) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
  const rest = everyWhile(now, 1000, ({ stage }, counts) => write(wordsOf(stage, counts)));
  return {
    update: (event, counts) => {
      if (event.stage === 'list') write(`${event.source} ${event.resource}: ${event.records} records`);
      else if (event.stage === 'listed') write(`${event.source}: ${event.items} listings to collect`);
      else rest.update(event, counts);
    },
    end: rest.end,
  };
}
