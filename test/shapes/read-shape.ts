import type { Contract } from '#lib/api/contract/contract.ts';
import type { Question } from '#lib/sources/question.ts';
import { resourceNamed } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { startFixtureServer } from '#simulator/fixture-server.ts';
import { clientOf, fetchAll, sourceAt } from '../api/support/serve.ts';
import { routesBy } from '../support/fixture-lab.ts';
import { type Answered, answerQuestion } from './operator.ts';
import { type Day, hasStray, recordsOf } from './records-of-shape.ts';
import { answerOf } from './serve-shape.ts';
import type { Shape } from './shape.ts';
import { ERROR_MEMBERS } from './words.ts';

export type Verdict = 'whole' | 'closed' | 'refused' | 'open' | 'short' | 'crash';

export interface DayRead {
  readonly verdict: Verdict;
  /** Questions that were answered before it was whole. */
  readonly rounds: number;
  /** The first question, or what is wrong. */
  readonly said: string;
  /** What came of how many records, for a reader of a failure. */
  readonly came: string;
}

export type ShapeReader = Awaited<ReturnType<typeof shapeReader>>;

/** Rounds in which a question has to lead to the whole. */
const ROUNDS = 3;

/** Reads shapes as listings of players, a day after the other, the second with what the first found out. */
export async function shapeReader() {
  let current: { readonly shape: Shape; readonly day: Day } | null = null;
  const server = await startFixtureServer({
    routes: routesBy(
      () => (request) =>
        current === null
          ? { status: 500, body: '' }
          : answerOf(current.shape, { day: current.day, origin: server.url, url: request.url ?? '' }),
    ),
  });
  const plain = sourceAt(server.url);
  const client = clientOf(plain, { random: () => 0 });
  const resource = resourceNamed('players');

  async function readOnce(settings: Answered, lock: Contract | undefined) {
    const own = { columns: {}, drop: [], mask: [], ...settings };
    const source = { ...plain, resources: { players: own } } as Source;
    return await fetchAll({ client, source, resource, parentId: null, ...(lock && { contract: lock }) });
  }

  async function readDay(
    shape: Shape,
    day: Day,
    known: { settings: Answered; lock: Contract | undefined },
  ): Promise<{ read: DayRead; settings: Answered; lock: Contract | undefined }> {
    current = { shape, day };
    const truth = recordsOf(shape, day);
    let { settings } = known;
    let said = '';
    for (let rounds = 0; ; rounds++) {
      try {
        const { end, records } = await readOnce(settings, known.lock);
        const came = `${records.length} of ${truth.length} (${end.outcome} ${end.errorCode ?? ''})`;
        if ((end.outcome === 'ok' || end.outcome === 'empty') && end.question === undefined) {
          const isWhole = sameRecords(records, truth);
          const verdict = isWhole ? (rounds === 0 ? 'whole' : 'closed') : 'short';
          const lock = end.contract === null || end.outcome === 'empty' ? known.lock : end.contract;
          return { read: { verdict, rounds, said, came }, settings, lock };
        }
        const message =
          end.question === undefined ? `${end.errorCode}: ${end.message}` : textOf(end.question);
        if (said === '') said = message;
        const isError = (day === 1 && shape.error !== null) || hasStray(shape, day);
        const next = end.question ? answerQuestion(shape, end.question, settings) : null;
        const isOfError = Object.keys(ERROR_MEMBERS[shape.error?.kind ?? 0] ?? {}).some((name) =>
          message.includes(name),
        );
        if (isError && (end.errorCode === 'API_ERROR' || isOfError || next === null || rounds === ROUNDS))
          return { ...known, read: { verdict: 'refused', rounds, said, came } };
        if (next === null || rounds === ROUNDS)
          return { ...known, read: { verdict: 'open', rounds, said: message, came } };
        settings = next;
      } catch (error) {
        const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return { ...known, read: { verdict: 'crash', rounds, said: stack, came: '' } };
      }
    }
  }

  return {
    read: async (shape: Shape): Promise<readonly [DayRead, DayRead]> => {
      const first = await readDay(shape, 0, { settings: {}, lock: undefined });
      const second = await readDay(shape, 1, first);
      return [first.read, second.read];
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

function textOf({ code, says, cures }: Question): string {
  const settings = cures.map(
    ({ setting, choices, open = '', when = '' }) => `${setting} ${JSON.stringify(choices)} ${open} ${when}`,
  );
  return `${code}: ${says}. ${settings.join('; ')}`;
}

/** The same records, in whatever order; the key of a map is none of theirs. */
function sameRecords(records: readonly unknown[], truth: readonly object[]): boolean {
  if (records.length !== truth.length) return false;
  const text = (record: unknown) => {
    const { $key, ...own } = Object(record);
    return JSON.stringify(own);
  };
  const due = new Set(truth.map((record) => JSON.stringify(record)));
  const came = new Set(records.map(text));
  return came.size === due.size && [...came].every((each) => due.has(each));
}
