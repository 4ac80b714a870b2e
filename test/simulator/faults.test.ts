import { afterEach, describe, expect, it } from 'vitest';
import { FAULTS } from '#simulator/faults/table.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '#simulator/server.ts';
import { call, json, SIGNAGE } from './client.ts';

let running: Simulator | undefined;
afterEach(() => running?.close());

async function start(faults: string, options: SimulatorOptions = {}): Promise<Simulator> {
  running = await startSimulator({ players: 40, ...options, faults });
  return running;
}

const PLAYERS = `${SIGNAGE}/Players`;
const STORAGES = '/1/backup?account_id=1042';

function screensOf(simulator: Simulator): string[] {
  return [...simulator.world.at(simulator.day).playerIds()].map((id) => `${PLAYERS}/${id}/Screens`);
}

async function outcome(simulator: Simulator, path: string): Promise<string> {
  try {
    const answer = await call(simulator, path);
    await answer.json();
    return String(answer.status);
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : 'broken';
  }
}

describe('answers that are not what they should be', () => {
  const BROKEN = { 'html200:1': 'no JSON', 'reset:1': 'broken', 'truncate:1': 'broken' };
  it.each(Object.entries(BROKEN))('%s gives %s, for texts and for streams', async (spec, expected) => {
    const simulator = await start(spec, { players: 450 });
    expect(await outcome(simulator, PLAYERS)).toBe(expected);
    expect(await outcome(simulator, screensOf(simulator)[0] ?? '')).toBe(expected);
    expect(await outcome(simulator, STORAGES)).toBe(expected);
  });

  it('empty and halved shorten the listings of parents with 200', async () => {
    const simulator = await start('halved');
    const truth = simulator.world.at(0);
    expect(await json(simulator, PLAYERS)).toEqual(truth.records('players').slice(0, 20));
    expect(await json(simulator, `${SIGNAGE}/Licenses`)).toEqual(truth.records('licenses'));
    await simulator.setFaults('empty@resource=players');
    expect(await json(simulator, PLAYERS)).toEqual([]);
    const data = truth.records('backup_storages');
    expect(await json(simulator, STORAGES)).toEqual({ result: 'success', data });
  });
});

describe('specs', () => {
  it('combine, and decide by path and attempt, so that the same seed gives the same faults', async () => {
    const spec = '500:0.2,reset:0.1,truncate:0.1';
    const collect = async (seed: number) => {
      const simulator = await startSimulator({ players: 40, seed, faults: spec });
      const rounds: string[][] = [];
      for (let i = 0; i < 3; i++) {
        rounds.push(await Promise.all(screensOf(simulator).map((path) => outcome(simulator, path))));
      }
      await simulator.close();
      return rounds;
    };
    const rounds = await collect(5);
    expect(await collect(5)).toEqual(rounds);
    expect(await collect(6)).not.toEqual(rounds);
    expect(rounds[1]).not.toEqual(rounds[0]);
    expect(new Set(rounds.flat())).toEqual(new Set(['200', '500', 'broken']));
  });

  it('select by resource, API and first request', async () => {
    const simulator = await start('500:1@resource=licenses');
    const ends = [await outcome(simulator, PLAYERS), await outcome(simulator, `${SIGNAGE}/Licenses`)];
    expect(ends).toEqual(['200', '500']);
    await simulator.setFaults('500:1@api=backup');
    expect([await outcome(simulator, PLAYERS), await outcome(simulator, STORAGES)]).toEqual(['200', '500']);
    await simulator.setFaults('500:1@from=2');
    expect([await outcome(simulator, PLAYERS), await outcome(simulator, PLAYERS)]).toEqual(['200', '500']);
    expect(simulator.stats.byFault).toEqual({ 500: 3 });
  });

  it('give every fault a line that says what happens', () => {
    for (const [name, fault] of FAULTS) {
      expect(fault.name).toBe(name);
      expect(fault.summary.length).toBeGreaterThan(10);
    }
  });
});
