/** The parts of undici that connections.ts loads; undici 8 names no parts in its package.json and types only the whole. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';
  export default function connectorOf(options: buildConnector.BuildOptions): buildConnector.connector;
}
