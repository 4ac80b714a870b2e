import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { collect } from '#lib/contracts/collect.ts';
import { commit } from '#lib/contracts/commit.ts';
import { list } from '#lib/contracts/list.ts';
import { plan } from '#lib/contracts/plan.ts';
import { publish } from '#lib/contracts/publish.ts';
import { start } from '#lib/contracts/start.ts';
import { sweep } from '#lib/contracts/sweep.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { ApiServices, Stage } from '#lib/runtime/services.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { contentHash } from '../../scripts/content-hash.ts';
import { type Death, dyingLake, Killed } from '../model/dying-lake.ts';
import { labConfig, labSecrets } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const STAGES = {
  List: list,
  CollectBatch: collect,
  Sweep: sweep,
  Plan: plan,
  PublishUnit: publish,
  Ledger: publish,
  Commit: commit,
} as const satisfies Record<string, Stage<ApiServices, unknown>>;
type State = keyof typeof STAGES | 'Start';
const STATES = ['Start', ...(Object.keys(STAGES) as (keyof typeof STAGES)[])] as const;

/** The call of a state, from 0, that dies at a change to the lake. */
interface Kill {
  readonly state: State;
  readonly call: number;
  readonly death: Death;
}

/** Lambda's own error, as the state machine sees it where a call was killed. */
class KilledCall extends Error {
  override name = 'Runtime.ExitError';
}

describe('a call that is killed and tried again by the state machine', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    simulator = await startSimulator({ players: 12, seed: 11 });
    folder = await temporaryFolder();
  });
  afterAll(async () => {
    await simulator.close();
    await folder[Symbol.asyncDispose]();
  });

  /** A run whose first call of collect always fails, so that there is a sweep. Gives the changes of each call. */
  async function run(lake: Lake, kill?: Kill): Promise<ReadonlyMap<State, readonly number[]>> {
    const changes = new Map<State, number[]>(STATES.map((state) => [state, []]));
    const local = localServices(lake);
    await using services = localApiServices(local, labSecrets(simulator), () => 0);
    const config = labConfig(simulator.url);
    const starting = async (death?: Death) => {
      const dying = dyingLake(lake, death);
      const holderHasEnded = async () => true;
      try {
        const event = { scheduledTime: '2026-11-20T03:00:00Z' };
        return await start(event, { ...local, ...LOCAL_HOLDER, holderHasEnded, lake: dying, config });
      } finally {
        changes.set('Start', [dying.changes()]);
      }
    };
    // The schedule delivers its event again where the call that got it died.
    if (kill?.state === 'Start') await expect(starting(kill.death)).rejects.toBeInstanceOf(Killed);
    const started = await starting();
    if (started.kind !== 'started') throw new Error('the lake is not free');
    const handlerOf = (state: keyof typeof STAGES) => async (event: unknown) => {
      const calls = changes.get(state) ?? [];
      const call = calls.push(0) - 1;
      const isKilled = kill?.state === state && kill.call === call;
      const dying = dyingLake(lake, isKilled ? kill.death : undefined);
      if (state === 'CollectBatch' && call === 0) throw new Error('the first batch is lost');
      try {
        return await STAGES[state](event, { ...services, lake: dying });
      } catch (error) {
        if (isKilled && dying.changes() >= kill.death.at) throw new KilledCall();
        throw error;
      } finally {
        calls[call] = dying.changes();
      }
    };
    const states = Object.keys(STAGES) as (keyof typeof STAGES)[];
    const handlers = Object.fromEntries(states.map((state) => [state, handlerOf(state)]));
    await interpret(started.input, handlers, { retryMs: 0 });
    return changes;
  }

  it('ends in the tables of an undisturbed run, whichever call it is and whatever it had done', {
    timeout: 1_200_000,
  }, async () => {
    const undisturbed = folderLake(join(folder.path, 'undisturbed'));
    const changes = await run(undisturbed);
    const wanted = await contentHash(undisturbed);
    const kills = STATES.flatMap((state) => {
      const calls = changes.get(state) ?? [];
      expect(calls.length, state).toBeGreaterThan(0);
      return calls.flatMap((count, call) =>
        Array.from(
          { length: count },
          (_, index): Kill => ({ state, call, death: { at: index + 1, isDone: (index + call) % 2 === 0 } }),
        ),
      );
    });
    expect(kills.length).toBeGreaterThan(30);
    for (const [index, kill] of kills.entries()) {
      const lake = folderLake(join(folder.path, `killed-${index}`));
      await run(lake, kill);
      expect(await contentHash(lake), JSON.stringify(kill)).toEqual(wanted);
    }
  });
});
