import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `npm run deploy`: asks before it widens rights; with `-- --ci` it asks nothing, which is for pipelines. Everything else
 * is for `cdk deploy`.
 */
const cdk = fileURLToPath(new URL('../node_modules/aws-cdk/bin/cdk', import.meta.url));
const words = process.argv.slice(2);
const approval = words.includes('--ci') ? 'never' : 'broadening';
const { status } = spawnSync(process.execPath, [cdk, 'deploy', '--require-approval', approval, ...words], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
