import type { Command } from 'commander';
import { describeStatus } from './describe-status.ts';
import { configIfAny } from './local-services.ts';
import { commandOf, ofStack } from './options.ts';
import { say, show } from './say.ts';
import { statusOf } from './status-of.ts';

export function addStatus(command: Command): void {
  const deployed = ofStack('show the lake of the deployed stack');
  commandOf(command, { deployed }, async (options) => {
    const configured = await configIfAny(options.config);
    const status = await statusOf(options.lake, configured);
    if (options.json) say(status);
    else show(describeStatus(status, { ...options, configured, now: new Date() }).join('\n'));
  });
}
