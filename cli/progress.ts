import type { Writable } from 'node:stream';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { counted } from '#lib/text.ts';
import { logLine } from './say.ts';

/** How progress is shown: a bar on a terminal and a line now and then elsewhere, not at all, or in many lines. */
let choice: 'auto' | 'none' | 'lines' = 'auto';

export function chooseProgress(chosen: 'none' | 'lines'): void {
  choice = chosen;
}

const LINE_EVERY_MS = 5000;
const BAR_COLUMNS = 30;
/** Moves to the beginning of the line, and clears it. */
const AFRESH = '\r\u001b[K';

/** Shows progress: a bar on a terminal, lines elsewhere. It reads no keys, so Ctrl-C stays the system's. */
export function showProgress(
  output: Writable & { readonly isTTY?: boolean } = process.stderr,
  now = () => performance.now(),
) {
  const began = now();
  const hasBar = choice === 'auto' && output.isTTY === true;
  const isLogDue = everyWhile(now, LINE_EVERY_MS);
  const isDue = everyWhile(now, hasBar ? 100 : choice === 'lines' ? 1000 : LINE_EVERY_MS);
  const promised = new Map<string, number>();
  const asked = new Set<string>();
  let records = 0;
  let done = 0;
  const on = (event: ProgressEvent) => {
    const { stage } = event;
    if (stage === 'list') records += event.records;
    if (stage === 'listed' || stage === 'kept')
      promised.set(event.source, (promised.get(event.source) ?? 0) + event.items);
    if (stage === 'collect') asked.add(event.source);
    if (stage === 'collect' || stage === 'kept') done += event.done;
    const total = [...promised.values()].reduce((sum, items) => sum + items, 0);
    // A sweep requests some items again, and a repair lists nothing.
    const isKnown = done <= total && [...asked].every((source) => promised.has(source));
    const counts = { records, done, promised: isKnown ? total : null };
    if (isLogDue(stage)) logLine({ level: 'info', stage, ...counts });
    const ofOne = choice === 'lines' ? wordsOfOne(event) : undefined;
    if (choice === 'none' || !(ofOne || isDue(stage))) return;
    const text = ofOne ?? stageWords(stage, counts);
    if (hasBar) {
      const isCalling = stage === 'list' || stage === 'listed' || stage === 'collect' || stage === 'kept';
      const share = isCalling ? done / Math.max(total, done, 1) : 1;
      const filled = Math.floor(BAR_COLUMNS * share);
      output.write(`${AFRESH}${'━'.repeat(filled)}${'─'.repeat(BAR_COLUMNS - filled)} ${text}`);
    } else if (choice === 'lines')
      output.write(`${((now() - began) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
    else output.write(`${text}\n`);
  };
  return { on, [Symbol.dispose]: () => void (hasBar && output.write(AFRESH)) };
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

/** `promised` is null if the total is unknown. */
function stageWords(
  stage: ProgressEvent['stage'],
  { records, promised, done }: { records: number; done: number; promised: number | null },
): string {
  if (stage === 'list' || stage === 'listed') return `list: ${counted(records, 'record')}`;
  if (stage !== 'collect' && stage !== 'kept') return stage;
  return `collect: ${promised === null ? counted(done, 'listing') : `${done} of ${counted(promised, 'listing')}`}`;
}

/** The words for one listing, and for what is to collect of one source. */
function wordsOfOne(event: ProgressEvent): string | undefined {
  if (event.stage === 'list') return `${event.source} ${event.resource}: ${counted(event.records, 'record')}`;
  if (event.stage === 'listed') return `${event.source}: ${counted(event.items, 'listing')} to collect`;
  return undefined;
}
