/** The parts of undici for connections.ts. undici 8 exports and types only the whole. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';
  export default function connectorOf(options: buildConnector.BuildOptions): buildConnector.connector;
}
