import type { RunSummary } from '#lib/run/summary.ts';
import { checkShape } from './check-shape.ts';
import { type Answered, answerQuestion } from './operator.ts';
import type { DayRead, Verdict } from './read-shape.ts';
import { type Day, hasStray, idFieldOf } from './records-of-shape.ts';
import { dueOf, routesOf, sameTexts, screensOf } from './routes-of-shape.ts';
import type { Shape } from './shape.ts';
import { type ShapeLab, shapeLab } from './shape-lab.ts';

/** Rounds in which a question has to lead to the whole. */
const ROUNDS = 3;

export type ShapeRunner = Awaited<ReturnType<typeof shapeRunner>>;

/** Runs shapes one after the other, each into a lake of its own. */
export async function shapeRunner() {
  const lab = await shapeLab();
  return {
    /** Runs two days of an API whose players, and the screens of each, are listed in one shape. */
    run: async (shape: Shape) => {
      await using lake = await lab.newLake();
      return await runShape(shape, lake);
    },
    /** Runs the first day with what `check --write` wrote: `whole`, or what is wrong. */
    check: async (shape: Shape) => {
      await using lake = await lab.newLake();
      return await checkShape(shape, lake);
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

async function runShape(shape: Shape, lab: ShapeLab): Promise<readonly [DayRead, DayRead]> {
  let settings: Record<'players' | 'screens', Answered> = { players: {}, screens: {} };

  async function runDay(day: Day): Promise<DayRead> {
    const routes = routesOf(shape, { day, url: () => lab.url });
    const due = dueOf(shape, day);
    const isStray = hasStray(shape, day) || hasStray(shape, day, 1);
    const isError = isStray || (day === 1 && shape.error !== null);
    let said = '';
    let more: { acceptShrink: string[] } | undefined;
    for (let rounds = 0; ; rounds++) {
      const resources = { players: { id: idFieldOf(shape), ...settings.players }, screens: settings.screens };
      let summary: RunSummary;
      let rows: readonly string[];
      try {
        // Each round is a run of its own, a minute after the other.
        const scheduledTime = `2026-11-2${day}T03:0${rounds}:00Z`;
        summary = await lab.run({ scheduledTime, ...more }, routes, resources);
        rows = await lab.rows();
      } catch (error) {
        const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return { verdict: 'crash', rounds, said: stack, came: '' };
      }
      const [berlin] = summary.sources;
      const came = `${rows.length} of ${due.length} (${berlin?.status})`;
      if (berlin?.status === 'complete') {
        const isWhole = sameTexts(rows, due);
        const verdict: Verdict = isWhole ? (rounds === 0 ? 'whole' : 'closed') : 'short';
        return { verdict, rounds, said, came };
      }
      const message = `${berlin?.error?.code}: ${berlin?.error?.message}`;
      if (said === '') said = message;
      const question = berlin?.questions.find(({ cures }) => cures.length > 0);
      const about = question?.resource === 'screens' ? 'screens' : 'players';
      const asked = about === 'screens' ? screensOf(shape) : shape;
      const next = question === undefined ? null : answerQuestion(asked, question, settings[about]);
      const hasShrunk = message.startsWith('LISTING_SHRANK');
      if (isError && (hasShrunk || next === null || rounds === ROUNDS * 2 || message.includes('API_ERROR')))
        return { verdict: isStray ? besideStray(rows, shape, day) : 'refused', rounds, said, came };
      // A listing that lost many records is held until somebody says that it is right.
      if (hasShrunk && more === undefined) {
        more = { acceptShrink: ['berlin'] };
        continue;
      }
      if (next === null || rounds === ROUNDS * 2) return { verdict: 'open', rounds, said: message, came };
      settings = { ...settings, [about]: next };
    }
  }

  return [await runDay(0), await runDay(1)];
}

/** A list with an error in it adds no row that is no record, and takes none away that both days have. */
function besideStray(rows: readonly string[], shape: Shape, day: Day): Verdict {
  const days = [dueOf(shape, 0), dueOf(shape, 1)] as const;
  const isDue = (row: string) => days.some((due) => due.includes(row));
  const kept = day === 0 ? [] : days[0].filter((row) => days[1].includes(row));
  return rows.every(isDue) && kept.every((row) => rows.includes(row)) ? 'refused' : 'short';
}
