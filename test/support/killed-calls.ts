import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { start } from '#lib/start/start.ts';
import type { Simulator } from '#simulator/server.ts';
import { type Death, dyingLake } from '../model/dying-lake.ts';
import { contentHash } from './content-hash.ts';
import { labConfig, labSecrets } from './export-lab.ts';
import { stagesWith, TASKS, type Task } from './runs.ts';

const TIME = '2026-11-20T03:00:00Z';
type State = Task | 'Start';

/** Where the first call of a state that comes so far dies: with a change to the lake. */
type Kills = ReadonlyMap<State, Death>;

/** Lambda's own error, as the state machine sees it where a call was killed. */
class KilledCall extends Error {
  override name = 'Runtime.ExitError';
}

/**
 * Kills of one call of every state in each run, by the most changes to the lake that a call of a state makes: at the first
 * one in the first run, at the third one in the next. What the process was about to do is done in every other of them.
 */
export function killCalls(changes: ReadonlyMap<State, number>): readonly Kills[] {
  const most = Math.max(...changes.values());
  return Array.from(
    { length: Math.ceil(most / 2) },
    (_, index) =>
      new Map(
        [...changes]
          .filter(([, count]) => count > 2 * index)
          .map(([state], place): [State, Death] => [
            state,
            { at: 2 * index + 1, isDone: (index + place) % 2 === 0 },
          ]),
      ),
  );
}

/**
 * A run into a folder, by the state machine. Its first call of collect always fails, so that there is a sweep. What is
 * killed is tried again as the machine says; a start, as the schedule delivers its event again.
 */
export async function runByCalls(simulator: Simulator, folder: string, kills: Kills = new Map()) {
  const lake = folderLake(folder);
  const changes = new Map<State, number>();
  const calls = new Map<State, number>();
  const killed = new Set<State>();
  const called = async <Result>(
    state: State,
    call: (own: Lake, nth: number) => Promise<Result>,
  ): Promise<Result> => {
    const nth = calls.get(state) ?? 0;
    calls.set(state, nth + 1);
    const own = dyingLake(lake, killed.has(state) ? undefined : kills.get(state));
    try {
      return await call(own, nth);
    } catch (error) {
      if (!own.hasDied()) throw error;
      killed.add(state);
      throw new KilledCall();
    } finally {
      changes.set(state, Math.max(changes.get(state) ?? 0, own.changes()));
    }
  };
  const local = localServices(lake);
  await using services = localApiServices(local, labSecrets(simulator), () => 0);
  const starting = { ...local, ...LOCAL_HOLDER, holderHasEnded: async () => true };
  const config = labConfig(simulator.url);
  const begin = () =>
    called('Start', (own) => start({ scheduledTime: TIME }, { ...starting, lake: own, config }));
  const started = await begin().catch((error: unknown) => {
    if (error instanceof KilledCall) return begin();
    throw error;
  });
  if (started.kind !== 'started') throw new Error('the lake is not free');
  const handlers = TASKS.map((task) => [
    task,
    (event: unknown) =>
      called(task, async (own, nth) => {
        if (task === 'Collect' && nth === 0) throw new Error('the first batch is lost');
        return await stagesWith(() => ({ ...services, lake: own }))[task](event);
      }),
  ]);
  await interpret(started.input, Object.fromEntries(handlers), { retryMs: 0 });
  return { changes, killed, hash: await contentHash(lake) };
}
