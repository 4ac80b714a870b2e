/** The part of undici that connections.ts loads; undici 8 names no parts in its package.json and types only the whole. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
