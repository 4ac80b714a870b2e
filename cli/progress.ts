import type { Writable } from 'node:stream';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { counted } from '#lib/text.ts';
import { logLine } from './log-file.ts';

/** How progress is shown: a bar on a terminal and a line now and then elsewhere, not at all, or in many lines. */
type ProgressChoice = 'auto' | 'none' | 'lines';

let choice: ProgressChoice = 'auto';

/** Applies `--quiet` and `--verbose`. */
export function chooseProgress(chosen: ProgressChoice): void {
  choice = chosen;
}

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
  const log = everyWhile(now, LINE_EVERY_MS, ({ stage }, counts) =>
    logLine({ level: 'info', stage, ...counts }),
  );
  if (choice === 'none') return [log];
  if (choice === 'lines') return [log, inManyLines(output, now)];
  if (output.isTTY) return [log, onTerminal(output, now)];
  return [
    log,
    everyWhile(now, LINE_EVERY_MS, ({ stage }, counts) => output.write(`${wordsOf(stage, counts)}\n`)),
  ];
}

interface Counts {
  readonly records: number;
  /** Null if the total is unknown: a sweep requests some items again. */
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
  if (stage === 'list' || stage === 'listed') return `list: ${counted(records, 'record')}`;
  if (stage !== 'collect' && stage !== 'kept') return stage;
  return promised === null
    ? `collect: ${counted(done, 'listing')}`
    : `collect: ${done} of ${counted(promised, 'listing')}`;
}

const BAR_COLUMNS = 30;
const BAR_EVERY_MS = 100;
/** Moves to the beginning of the line, and clears it. */
const AFRESH = '\r\u001b[K';

/**
 * A bar in one line, full while the run plans, publishes and commits. It reads no keys: Ctrl-C is the system's, and ends the
 * run as anywhere else.
 */
function onTerminal(output: Output, now: () => number): Display {
  let filled = 0;
  const drawn = everyWhile(now, BAR_EVERY_MS, (event, counts) => {
    const { promised, done } = counts;
    const isOver = event.stage === 'plan' || event.stage === 'publish' || event.stage === 'commit';
    if (isOver) filled = BAR_COLUMNS;
    else if (promised !== null && promised > 0) filled = Math.floor((BAR_COLUMNS * done) / promised);
    const bar = '━'.repeat(filled) + '─'.repeat(BAR_COLUMNS - filled);
    output.write(`${AFRESH}${bar} ${wordsOf(event.stage, counts)}`);
  });
  return { update: drawn.update, end: () => void output.write(AFRESH) };
}

const LINE_EVERY_MS = 5000;

/** Shows the first event of each stage, and the others after so long. */
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

/** A line for each listing, and one each second while it requests children. */
function inManyLines(output: Output, now: () => number): Display {
  const began = now();
  const write = (text: string) =>
    output.write(`${((now() - began) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
  const rest = everyWhile(now, 1000, ({ stage }, counts) => write(wordsOf(stage, counts)));
  return {
    update: (event, counts) => {
      if (event.stage === 'list')
        write(`${event.source} ${event.resource}: ${counted(event.records, 'record')}`);
      else if (event.stage === 'listed')
        write(`${event.source}: ${counted(event.items, 'listing')} to collect`);
      else rest.update(event, counts);
    },
    end: rest.end,
  };
}
