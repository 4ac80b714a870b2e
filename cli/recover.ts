import type { Command } from 'commander';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import type { Head } from '#lib/lake/head.ts';
import { extentOf } from '#lib/repair/extent-of.ts';
import { recover } from '#lib/repair/recover.ts';
import { type Recovery, recoveryOf } from '#lib/repair/recovery-of.ts';
import { exportDate } from '#lib/run-id.ts';
import type { Services } from '#lib/runtime/services.ts';
import { counted } from '#lib/text.ts';
import { existingLake } from './existing-lake.ts';
import { EXIT } from './exit.ts';
import { onInterruptByHand } from './interrupts.ts';
import { leavingDatabase } from './leaving-database.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { localServices } from './local-services.ts';
import { commandOf, IN_STACK, ofStack } from './options.ts';
import { roundedTime } from './rounded.ts';
import { note, say } from './say.ts';
import { isAgreed, yes } from './say-first.ts';

/** `recover`: repairs the head of a lake with lost, damaged or outdated state. */
export function addRecover(command: Command): void {
  commandOf(command, { yes: yes(), deployed: ofStack(IN_STACK) }, async (options) => {
    const { json, yes: isAsked, deployed, lake } = options;
    const config = await readConfig(options.config);
    const services = { ...leavingDatabase(localServices(await existingLake(lake))), ...LOCAL_HOLDER };
    const found = await recoveryOf(services.lake, config);
    if (found === undefined) {
      const says =
        'The head is sound and the newest, so there is nothing to recover. `verify` checks the files.';
      say(json ? { isSound: true } : says);
      return;
    }
    const shown = await shownBy(found, services);
    const { notBack, kept, missing } = found;
    const said = { ...shown, notBack, kept, missing };
    const text = [...describe(shown), ...lossesOf(found, config.timeZone)].join('\n');
    if (json) note(text);
    else say(text);
    if (!isAsked && !(process.stdin.isTTY && (await isAgreed()))) {
      if (json) say({ dryRun: true, ...said });
      note(`Nothing is changed yet: \`recover ${deployed ? '--deployed ' : ''}--yes\` recovers the lake.`);
      process.exitCode = EXIT.usage;
      return;
    }
    using _ = onInterruptByHand();
    const { runId, attempt } = deployed
      ? await recoverDeployed(found, config)
      : await recover(found, { ...services, config });
    const done = `The tables are as run ${runId} left them. \`verify\` reads all their files.`;
    say(json ? { ...said, attempt } : done);
  });
}

async function recoverDeployed({ head, lastAttempt }: Recovery, config: Config): Promise<Head> {
  const { operateDeployed } = await import('./operate-deployed.ts');
  const { runId, attempt } = head;
  return (await operateDeployed(config, { command: 'recover', runId, attempt, lastAttempt })).head;
}

/** What the tables would show. */
interface Shown {
  readonly runId: string;
  readonly committedAt: string;
  readonly days: number;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly days: number }[];
}

async function shownBy({ head }: Recovery, services: Services): Promise<Shown> {
  const tables: Shown['tables'][number][] = [];
  for (const [table, { newest, dates }] of Object.entries(head.tables)) {
    const { rows } = await extentOf([{ table, ...newest }], services);
    tables.push({ table, rows, days: Object.keys(dates).length });
  }
  const { runId, committedAt } = head;
  const days = Object.keys(head.tables['runs']?.dates ?? {}).length;
  return { runId, committedAt, days, tables };
}

function describe({ runId, committedAt, days, tables }: Shown): readonly string[] {
  return [
    `The tables would be as run ${runId} left them, committed at ${roundedTime(committedAt)}, with ${counted(days, 'day')}. The newest rows:`,
    ...tables.map(({ table, rows, days }) => `  ${table}: ${counted(rows, 'row')}; ${counted(days, 'day')}`),
  ];
}

function lossesOf({ notBack, kept, missing }: Recovery, timeZone: string): readonly string[] {
  return [
    ...notBack.map(({ runId, why }) => `Not brought back: run ${runId}: ${why}.`),
    ...missing.map(
      (key) => `Lost: ${key}. \`rebuild --from\` its date makes it again, if its raw answers are kept.`,
    ),
    ...kept.map(
      (runId) =>
        `Kept: raw answers of run ${runId} of ${exportDate(runId, timeZone)}; started again with --run-time, that run takes them up.`,
    ),
  ];
}
