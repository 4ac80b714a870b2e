import { awsCli, cfnLint, moto, trino, versitygw } from './support/tools.ts';

/** Installs every stand-in that test:aws needs, one after the other; those that are cached cost nothing. */
const started = performance.now();
for (const install of [versitygw, moto, awsCli, cfnLint, trino]) await install();
process.stderr.write(`stand-ins are ready after ${Math.round((performance.now() - started) / 1000)} s\n`);
