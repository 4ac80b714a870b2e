import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';

/** A worker that keeps so many connections busy until it is ended: raw sockets, so that it costs less than the server. */
interface Load {
  readonly port: number;
  readonly connections: number;
  readonly requests: readonly string[];
}

const { port, connections, requests } = workerData as Load;

for (let number = 0; number < connections; number++) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let next = number;
  let missing = 0;
  const ask = () => socket.write(requests[next++ % requests.length] ?? '');
  socket.on('connect', ask);
  socket.on('data', (data) => {
    if (missing === 0) {
      const head = data.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(data.toString('latin1', 0, head))?.[1];
      missing = head + 4 + Number(length);
    }
    missing -= data.length;
    if (missing === 0) ask();
  });
  socket.on('error', () => undefined);
}
