import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { startSimulator } from '#simulator/server.ts';
import { SIGNAGE } from '../simulator/client.ts';

it('answers thousands of calls a second; the figure is printed, not demanded', async () => {
  const simulator = await startSimulator({ players: 10_000 });
  const requests = [...simulator.world.at(0).playerIds()].flatMap((id) =>
    ['Screens', 'PendingFileTransfers'].map(
      (child) =>
        `GET ${SIGNAGE}/Players/${id}/${child} HTTP/1.1\r\nHost: x\r\nX-ApiKey: ${simulator.secrets.signage.apiKey}\r\n\r\n`,
    ),
  );
  const workerData = { port: Number(new URL(simulator.url).port), connections: 32, requests };
  const load = new Worker(new URL('../simulator/load.ts', import.meta.url), { workerData });
  await pause(500);
  simulator.stats.reset();
  await pause(1500);
  const answers = simulator.stats.byStatus[200] ?? 0;
  await load.terminate();
  await simulator.close();
  console.log(`simulator: ${Math.round(answers / 1.5)} answers/s`);
  expect(Object.keys(simulator.stats.byStatus)).toContain('200');
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
