import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { systemClock } from '#lib/api/clock.ts';
import { createQuietTime } from '#lib/api/wire/quiet-time.ts';

/** Writes to its first connection, and 10 ms later to its second. */
const SERVER = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const sockets = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    if (sockets.length < 2) return;
    sockets[0].write('a');
    setTimeout(() => sockets[1].write('b'), 10);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

it('bytes that came while the program was busy are read before a connection is idle', async () => {
  const worker = new Worker(SERVER, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const quiet = createQuietTime(systemClock);
  const first = connect(port, '127.0.0.1');
  await once(first, 'connect');
  const second = connect(port, '127.0.0.1');
  let isRead = false;
  second.on('data', () => {
    isRead = true;
  });
  await new Promise<void>((resolve, reject) => {
    first.on('data', () => {
      const end = performance.now() + 100;
      while (performance.now() < end);
      quiet
        .pass(performance.now() - 60_000)
        .then(() => expect(isRead).toBe(true))
        .then(resolve, reject);
    });
  });
  first.destroy();
  second.destroy();
  await worker.terminate();
});
