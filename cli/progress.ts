import { progress as progressBar } from '@clack/prompts';
import type { ProgressEvent } from '#lib/runtime/services.ts';

export interface Progress extends Disposable {
  readonly on: (event: ProgressEvent) => void;
  end(): void;
}

/** Shows on stderr how far a run has come: a bar on a terminal, a line now and then elsewhere. */
export function showProgress(): Progress {
  const counts = { records: 0, promised: 0, done: 0 };
  const show = process.stderr.isTTY ? onTerminal() : inLines();
  let ended = false;
  const end = () => {
    if (!ended) show.end();
    ended = true;
  };
  return {
    on: (event) => {
      if (event.stage === 'list') counts.records += event.records;
      if (event.stage === 'listed') counts.promised += event.items;
      if (event.stage === 'collect') counts.done += event.done;
      show.update(event.stage, counts);
    },
    end,
    [Symbol.dispose]: end,
  };
}

interface Counts {
  readonly records: number;
  readonly promised: number;
  readonly done: number;
}

interface Display {
  update(stage: ProgressEvent['stage'], counts: Counts): void;
  end(): void;
}

function wordsOf(stage: ProgressEvent['stage'], { records, promised, done }: Counts): string {
  if (stage === 'list' || stage === 'listed') return `list: ${records} records`;
  return stage === 'collect' ? `collect: ${done} of ${promised} listings` : stage;
}

/** The bar stands at its end while the answers are planned, published and committed. */
function onTerminal(): Display {
  const steps = 1000;
  const bar = progressBar({ max: steps, output: process.stderr });
  let shown = 0;
  bar.start('list');
  return {
    update: (stage, counts) => {
      const reached = counts.promised === 0 ? 0 : Math.floor((steps * counts.done) / counts.promised);
      bar.advance(reached - shown, wordsOf(stage, counts));
      shown = reached;
    },
    end: () => bar.stop('done'),
  };
}

const LINE_EVERY_MS = 5000;

function inLines(): Display {
  let last = { stage: '', at: 0 };
  return {
    update: (stage, counts) => {
      const now = performance.now();
      if (stage === last.stage && now - last.at < LINE_EVERY_MS) return;
      last = { stage, at: now };
      process.stderr.write(`${wordsOf(stage, counts)}\n`);
    },
    end: () => {},
  };
}
