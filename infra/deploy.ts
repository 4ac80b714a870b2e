import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `npm run deploy`: asks before it gives more rights; `-- --ci`, for pipelines, asks nothing. All other arguments go to
 * `cdk deploy`.
 */
const cdk = fileURLToPath(new URL('../node_modules/aws-cdk/bin/cdk', import.meta.url));
const words = process.argv.slice(2);
const approval = words.includes('--ci') ? 'never' : 'broadening';
const { status } = spawnSync(process.execPath, [cdk, 'deploy', '--require-approval', approval, ...words], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
