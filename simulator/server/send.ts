import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import type { Answer } from '../profiles/answer.ts';

/** Sends the answer. A body in pieces is made only as fast as the client reads. Ends if the client disconnects. */
export async function send(response: ServerResponse, answer: Answer, gzip: boolean): Promise<void> {
  const { status, headers, body } = answer;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const sent = gzip ? gzipSync(body, { level: 1 }) : body;
    const length = { 'content-length': Buffer.byteLength(sent) };
    response.writeHead(status, { ...headers, ...(gzip ? GZIP : {}), ...length }).end(sent);
    return;
  }
  response.writeHead(status, { ...headers, ...(gzip ? GZIP : {}) });
  const packed = gzip ? createGzip({ level: 1 }) : undefined;
  packed?.pipe(response);
  const out: Writable = packed ?? response;
  for (const piece of body) {
    if (!out.write(piece)) await drained(out, response);
    if (response.destroyed) return;
  }
  out.end();
}

const GZIP = { 'content-encoding': 'gzip' };

/** Waits until there is room again, or the client has disconnected. */
function drained(out: Writable, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off('drain', done);
      response.off('close', done);
      resolve();
    };
    out.once('drain', done);
    response.once('close', done);
    if (response.destroyed) done();
  });
}
