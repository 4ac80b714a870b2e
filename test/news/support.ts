import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listening } from '../api/support/serve.ts';

export interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds of a steady clock. */
  readonly at: number;
}

/** A receiver of webhooks: it answers with the statuses in turn, or not at all, then 200, and keeps what it heard. */
export async function webhookServer(statuses: readonly (number | 'silent')[] = []) {
  const heard: Heard[] = [];
  const left = [...statuses];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    heard.push({ headers: request.headers, body, at: performance.now() });
    const status = left.shift() ?? 200;
    if (status === 'silent') return;
    response.writeHead(status, {
      ...(status === 429 && { 'retry-after': '7' }),
      ...(status === 302 && { location: 'http://127.0.0.1:1/elsewhere' }),
    });
    response.end('ok');
  });
  const { port, ...ends } = await listening(server);
  return { url: `http://127.0.0.1:${port}/hook/token-of-the-hook`, heard, ...ends };
}
