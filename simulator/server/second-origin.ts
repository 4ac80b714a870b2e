import type { IncomingHttpHeaders } from 'node:http';
import { close, listen } from './listen.ts';

/** A request to the second origin. */
export interface ForeignRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface SecondOrigin {
  /** Starts the server at the first call. */
  origin(): Promise<string>;
  close(): Promise<void>;
}

/** A second server, to which redirects and links of faults lead. It answers every call with an empty listing. */
export function createSecondOrigin(onRequest: (request: ForeignRequest) => void): SecondOrigin {
  let started: ReturnType<typeof listen> | undefined;
  return {
    async origin() {
      started ??= listen(0, (request, response) => {
        onRequest({ path: request.url ?? '', headers: request.headers });
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
      });
      return (await started).url;
    },
    async close() {
      if (started !== undefined) await close((await started).server);
    },
  };
}
