import { readConfig } from '#lib/config/parse-config.ts';
import { extentOf } from '#lib/repair/extent-of.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { exportDate } from '#lib/run-id.ts';
import { counted } from '#lib/text.ts';
import { EXIT } from './exit.ts';
import { existingLake, localServices } from './local-services.ts';
import { isAgreed, operate, YES } from './operate.ts';
import { commandOf, ofStack } from './options.ts';
import { roundedTime } from './rounded.ts';
import { note, say, tell } from './say.ts';

const OPTIONS = {
  yes: YES,
  deployed: ofStack('in the deployed stack, with rights for this command alone'),
};

export const addRecover = commandOf(OPTIONS, async (options) => {
  const config = await readConfig(options.config);
  const services = localServices(await existingLake(options.lake));
  const found = await recoveryOf(services.lake, config);
  if (found === undefined) {
    const says =
      'The head is sound and the newest, so there is nothing to recover. `verify` checks the files.';
    return tell(options, { isSound: true }, says);
  }
  const { notBack, kept, missing, lastAttempt } = found;
  const { runId, committedAt, attempt } = found.head;
  const tables = [];
  for (const [table, { newest, dates }] of Object.entries(found.head.tables)) {
    const { rows } = await extentOf([{ table, ...newest }], services);
    tables.push({ table, rows, days: Object.keys(dates).length });
  }
  const days = Object.keys(found.head.tables['runs']?.dates ?? {}).length;
  const said = { runId, committedAt, days, tables, notBack, kept, missing };
  const text = [
    `The tables would be as run ${runId} left them, committed at ${roundedTime(committedAt)}, with ${counted(days, 'day')}. The newest rows:`,
    ...tables.map((each) => `  ${each.table}: ${counted(each.rows, 'row')}; ${counted(each.days, 'day')}`),
    ...notBack.map(({ runId: id, why }) => `Not brought back: run ${id}: ${why}.`),
    ...missing.map(
      (key) => `Lost: ${key}. \`rebuild --from\` its date makes it again, if its raw answers are kept.`,
    ),
    ...kept.map(
      (id) =>
        `Kept: raw answers of run ${id} of ${exportDate(id, config.timeZone)}; started again with --run-time, that run takes them up.`,
    ),
  ].join('\n');
  if (options.json) note(text);
  else say(text);
  if (!options.yes && !(process.stdin.isTTY && (await isAgreed()))) {
    if (options.json) say({ dryRun: true, ...said });
    const words = `recover ${options.deployed ? '--deployed ' : ''}--yes`;
    note(`Nothing is changed yet: \`${words}\` recovers the lake.`);
    process.exitCode = EXIT.usage;
    return;
  }
  const operation = { command: 'recover', runId, attempt, lastAttempt } as const;
  const { head } = await operate({ operation }, config, options);
  const done = `The tables are as run ${head.runId} left them. \`verify\` reads all their files.`;
  tell(options, { ...said, attempt: head.attempt }, done);
});
