import { nodeServers, pythonServers } from './support/installed.ts';

/** Installs the frameworks that test:servers runs; what is cached costs nothing. */
const started = performance.now();
await Promise.all([pythonServers(), nodeServers()]);
process.stderr.write(`stock servers are ready after ${Math.round((performance.now() - started) / 1000)} s\n`);
