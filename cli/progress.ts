import type { Writable } from 'node:stream';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { counted } from '#lib/text.ts';
import { logLine } from './say.ts';

/** How progress is shown: a bar on a terminal and a line now and then elsewhere, not at all, or in many lines. */
type ProgressChoice = 'auto' | 'none' | 'lines';

let choice: ProgressChoice = 'auto';

export function chooseProgress(chosen: ProgressChoice): void {
  choice = chosen;
}

type Output = Writable & { readonly isTTY?: boolean };

export interface Progress extends Disposable {
  readonly on: (event: ProgressEvent) => void;
  end(): void;
}

const LINE_EVERY_MS = 5000;
const BAR_EVERY_MS = 100;
const BAR_COLUMNS = 30;
/** Moves to the beginning of the line, and clears it. */
const AFRESH = '\r\u001b[K';

/**
 * Shows the progress of a run on stderr: a bar on a terminal, lines elsewhere. `now` is in milliseconds. The bar reads no
 * keys: Ctrl-C is the system's, and ends the run as anywhere else.
 */
export function showProgress(output: Output = process.stderr, now = () => performance.now()): Progress {
  const count = progressCounts();
  const began = now();
  const log = everyWhile(now, LINE_EVERY_MS);
  const hasBar = choice === 'auto' && output.isTTY === true;
  const due = everyWhile(now, hasBar ? BAR_EVERY_MS : choice === 'lines' ? 1000 : LINE_EVERY_MS);
  let filled = 0;
  let ended = false;
  const end = () => {
    if (!ended && hasBar) output.write(AFRESH);
    ended = true;
  };
  const on = (event: ProgressEvent) => {
    const { stage } = event;
    const counts = count(event);
    if (log(stage)) logLine({ level: 'info', stage, ...counts });
    const isOfOne = choice === 'lines' && (stage === 'list' || stage === 'listed');
    if (choice === 'none' || !(isOfOne || due(stage))) return;
    const text = isOfOne ? wordsOfOne(event) : stageWords(stage, counts);
    if (hasBar) {
      filled = filledBy(event, counts) ?? filled;
      output.write(`${AFRESH}${'━'.repeat(filled)}${'─'.repeat(BAR_COLUMNS - filled)} ${text}`);
    } else if (choice === 'lines')
      output.write(`${((now() - began) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
    else output.write(`${text}\n`);
  };
  return { on, end, [Symbol.dispose]: end };
}

/** True for the first event of each stage, and for the others after so long. */
function everyWhile(now: () => number, everyMs: number): (stage: string) => boolean {
  let last = { stage: '', at: 0 };
  return (stage) => {
    const at = now();
    if (stage === last.stage && at - last.at < everyMs) return false;
    last = { stage, at };
    return true;
  };
}

type Counts = ReturnType<ReturnType<typeof progressCounts>>;

/** Counts what was done; `promised` is null if the total is unknown: a sweep requests some items again. */
function progressCounts() {
  const promised = new Map<string, number>();
  const asked = new Set<string>();
  let records = 0;
  let done = 0;
  return (event: ProgressEvent) => {
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

/** How much of the bar is full; undefined if the event does not say. */
function filledBy({ stage }: ProgressEvent, { promised, done }: Counts): number | undefined {
  if (stage === 'plan' || stage === 'publish' || stage === 'commit') return BAR_COLUMNS;
  return promised === null || promised === 0 ? undefined : Math.floor((BAR_COLUMNS * done) / promised);
}

function stageWords(stage: ProgressEvent['stage'], { records, promised, done }: Counts): string {
  if (stage === 'list' || stage === 'listed') return `list: ${counted(records, 'record')}`;
  if (stage !== 'collect' && stage !== 'kept') return stage;
  return `collect: ${promised === null ? counted(done, 'listing') : `${done} of ${counted(promised, 'listing')}`}`;
}

/** The words for one listing, and for what is to collect of one source. */
function wordsOfOne(event: ProgressEvent): string {
  if (event.stage === 'list') return `${event.source} ${event.resource}: ${counted(event.records, 'record')}`;
  return event.stage === 'listed' ? `${event.source}: ${counted(event.items, 'listing')} to collect` : '';
}
