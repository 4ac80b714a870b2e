import {
  evidence,
  nodeServers,
  pythonDbt,
  pythonReaders,
  pythonServers,
  superset,
} from './support/installed.ts';

/** Installs the frameworks and the readers that test:servers runs; what is cached costs nothing. */
const started = performance.now();
await Promise.all([pythonServers(), nodeServers(), pythonReaders(), pythonDbt(), evidence(), superset()]);
process.stderr.write(
  `stock servers and readers are ready after ${Math.round((performance.now() - started) / 1000)} s\n`,
);
