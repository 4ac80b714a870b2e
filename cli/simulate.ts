import type { Command } from 'commander';
import { z } from 'zod';
import { simulate } from '#simulator/main.ts';
import { collectInto, optionsOf } from './options.ts';

const whole = z.coerce.number().int().nonnegative();

/** `simulate`: both APIs as a server, until it is stopped. */
export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .description('serve both APIs with made-up players, screens and storages, until stopped')
    .option('--players <n>', 'how many players', '200')
    .option('--profile <profile>', 'the dialect of the answers', 'reference')
    .option('--fault <fault>', 'a fault such as 500:0.05 (may be repeated)', collectInto, [])
    .option('--seed <n>', 'the same seed makes the same world', '1')
    .option('--port <n>', '0 = any free port', '8080')
    .option('--day <n>', 'where its clock stands', '0')
    .option('--latency <ms>', 'every answer waits so long', '0')
    .action(async (_options: unknown, command: Command) => {
      const options = optionsOf(command, {
        players: whole,
        profile: z.string(),
        fault: z.array(z.string()),
        seed: whole,
        port: whole,
        day: whole,
        latency: whole,
      });
      const simulator = await simulate({
        ...options,
        latencyMs: options.latency,
        faults: options.fault.join(','),
      });
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ url: simulator.url, secrets: simulator.secrets })}\n`);
      } else {
        process.stdout.write(
          `${[
            `Both APIs are at ${simulator.url} (${options.players} players, profile ${options.profile}); stop with Ctrl-C.`,
            '',
            'export.config.json:',
            JSON.stringify(exampleConfig(simulator.url), null, 2),
            '',
            'secrets.json:',
            JSON.stringify(
              { 'sim/signage': simulator.secrets.signage, 'sim/backup': simulator.secrets.backup },
              null,
              2,
            ),
          ].join('\n')}\n`,
        );
      }
      const stop = () => void simulator.close();
      process.once('SIGINT', stop).once('SIGTERM', stop);
    });
}

/** A config that exports both APIs of a simulator. */
export function exampleConfig(url: string) {
  return {
    name: 'signage',
    schedule: 'cron(0 3 * * ? *)',
    timeZone: 'Europe/Berlin',
    sources: [
      { name: 'signage', kind: 'signage', baseUrl: url, secret: 'sim/signage' },
      {
        name: 'backup',
        kind: 'backup',
        baseUrl: url,
        accountId: '1042',
        secret: 'sim/backup',
        requestsPerSecond: null,
      },
    ],
  };
}
