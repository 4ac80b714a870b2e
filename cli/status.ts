import { describeStatus } from './describe-status.ts';
import { configIfAny } from './local-services.ts';
import { commandOf, ofStack } from './options.ts';
import { say, show } from './say.ts';
import { statusOf } from './status-of.ts';

export const addStatus = commandOf(
  { deployed: ofStack('show the lake of the deployed stack') },
  async (options) => {
    const configured = await configIfAny(options.config);
    const status = await statusOf(options.lake, configured);
    if (options.json) say(status);
    else show(describeStatus(status, { ...options, configured, now: new Date() }).join('\n'));
  },
);
