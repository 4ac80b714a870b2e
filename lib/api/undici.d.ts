/** The part of undici that transport.ts loads; undici 8 names no parts in its package.json and types only the whole. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
