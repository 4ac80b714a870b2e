import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Answer } from '../profiles/answer.ts';

/** Sends the answer. A body in pieces is made only as fast as the client reads. Rejects if the client disconnects. */
export async function send(response: ServerResponse, answer: Answer, gzip: boolean): Promise<void> {
  const { status, body } = answer;
  const headers = { ...answer.headers, ...(gzip && { 'content-encoding': 'gzip' }) };
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const sent = gzip ? gzipSync(body, { level: 1 }) : body;
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(sent) }).end(sent);
    return;
  }
  response.writeHead(status, headers);
  const pieces = Readable.from(body);
  await (gzip ? pipeline(pieces, createGzip({ level: 1 }), response) : pipeline(pieces, response));
}
