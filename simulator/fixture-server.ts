import type { IncomingMessage, ServerResponse } from 'node:http';
import { close, listen } from './server/listen.ts';
import { send } from './server/send.ts';

export interface FixtureAnswer {
  /** @default 200 */
  readonly status?: number;
  /** @default content-type application/json */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Without the header Date, which servers without a clock leave out. */
  readonly hasNoDate?: boolean;
}

type FixtureRoute = FixtureAnswer | ((request: IncomingMessage) => FixtureAnswer | Promise<FixtureAnswer>);

/** Path with query, and headers. */
export interface FixtureRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface FixtureServer {
  /** Origin. */
  readonly url: string;
  /** The requests in their order. */
  readonly requests: readonly FixtureRequest[];
  close(): Promise<void>;
}

export interface FixtureOptions {
  /** By path with query, or by path alone. Any other path answers 404. */
  readonly routes: Readonly<Record<string, FixtureRoute>>;
  /** Receives the requests. @default a new list */
  readonly requests?: FixtureRequest[];
}

/** Serves bodies byte for byte, without authentication: recorded answers, or whatever a test needs. */
export async function startFixtureServer({ routes, requests = [] }: FixtureOptions): Promise<FixtureServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const route = routes[path] ?? routes[path.split('?', 1)[0] ?? ''] ?? NO_FIXTURE;
    const found = typeof route === 'function' ? await route(request) : route;
    const { status = 200, headers = { 'content-type': 'application/json' }, body, hasNoDate = false } = found;
    response.sendDate = !hasNoDate;
    await send(response, { status, headers, body }, false);
  };
  const { server, url } = await listen(0, (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return { url, requests, close: () => close(server) };
}

const NO_FIXTURE: FixtureAnswer = { status: 404, body: `{"Message":"no fixture for this path"}` };
