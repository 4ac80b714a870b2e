import { provenClient, type Reply } from '#lib/api/client.ts';
import { systemClock } from '#lib/api/clock.ts';
import { clientOf, sourceAt } from '../api/support/serve.ts';
import { createChance } from '../support/chance.ts';
import { FAULTS, serveOddly } from './odd-server.ts';
import { bodyOf, textOf } from './tcp-server.ts';

const BOUNDS = { maxBytes: 1_000_000, timeoutMs: 10_000 };
const CALLS = 30;
const MOST_ROUNDS = 5;

type Lived = Awaited<ReturnType<typeof liveConnection>>;

export type Kind = 'faults' | 'habits';

/** Makes calls to a server as collect does: once more if an answer may be another call's. */
export async function liveConnection(seed: number, kind: Kind) {
  const chance = createChance(seed);
  const concurrency = chance.oneOf([1, 2, 8]);
  const count = chance.oneOf([1, 1, 2, 3]);
  const faults = Array.from({ length: count }, () => {
    const fault = chance.oneOf(FAULTS);
    const most = fault === 'answer to nothing' ? concurrency : CALLS;
    return { call: 1 + Math.floor(chance.number() * most), fault };
  });
  const more = kind === 'faults' ? { faults } : { habits: true };
  await using server = await serveOddly({ chance, slowestMs: chance.oneOf([0, 2, 6]), ...more });
  const source = sourceAt(server.url, { concurrency });
  await using client = clientOf(source, { clock: systemClock, random: () => 0 });
  const paths = Array.from({ length: CALLS }, (_, index) => `/${index}`);

  async function ask() {
    const proven = provenClient(client);
    const replies = new Map<string, Reply>();
    const waiting = paths.values();
    const worker = async () => {
      for (const path of waiting) replies.set(path, await proven.get({ path, query: {} }, BOUNDS));
    };
    await Promise.all(Array.from({ length: concurrency + Math.ceil(concurrency / 4) }, worker));
    return { replies, isProven: await proven.isProven() };
  }

  async function askUntilProven() {
    for (let rounds = 1; ; rounds++) {
      const end = await ask();
      if (end.isProven || rounds === MOST_ROUNDS) return { ...end, rounds };
    }
  }

  const end = await askUntilProven();
  const again = [...server.asked.values()].filter((times) => times > 1).length;
  const failed: string[] = [];
  const wrong = paths.filter((path) => {
    const reply = end.replies.get(path);
    if (reply?.kind !== 'refusal') return textOf(reply) !== bodyOf(path);
    failed.push(reply.code);
    return reply.outcome === 'gone';
  });
  return {
    ...{ seed, wrong: end.isProven ? wrong : [...wrong, 'never proven'], failed, rounds: end.rounds },
    ...{ surplus: server.surplus(), unasked: client.unasked(), again },
  };
}

/** Some seeds, a few at a time: they wait more than they work. */
export async function liveConnections(
  { from, seeds }: { readonly from: number; readonly seeds: number },
  kind: Kind,
): Promise<readonly Lived[]> {
  const waiting = Array.from({ length: seeds }, (_, index) => from + index).values();
  const lived: Lived[] = [];
  const worker = async () => {
    for (const seed of waiting) lived.push(await liveConnection(seed, kind));
  };
  await Promise.all(Array.from({ length: 15 }, worker));
  return lived;
}
