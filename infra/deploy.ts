import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `npm run deploy`: asks before it adds rights; `-- --ci`, for pipelines, asks nothing. All other arguments
 * go to `cdk deploy`. A profile also goes to the app, which finds the region in it.
 */
const cdk = fileURLToPath(new URL('../node_modules/aws-cdk/bin/cdk', import.meta.url));
const words = process.argv.slice(2);
const approval = words.includes('--ci') ? 'never' : 'broadening';
const profile = words[words.indexOf('--profile') + 1] ?? '';
const { status } = spawnSync(process.execPath, [cdk, 'deploy', '--require-approval', approval, ...words], {
  stdio: 'inherit',
  env: { ...process.env, ...(words.includes('--profile') && { AWS_PROFILE: profile }) },
});
process.exitCode = status ?? 1;
