import { type CheckedConfig, checkConfig } from './check-config.ts';
import { checkStatus } from './check-sources.ts';
import type { Checked } from './checked.ts';
import { EXIT } from './exit.ts';
import { commandOf, flag, type GlobalOptions } from './options.ts';
import { printListings, printSettled } from './print-check.ts';
import { type Change, fragmentsOf, writeProposals } from './proposals.ts';
import { say } from './say.ts';
import { askedSettings } from './setting-lines.ts';

const OPTIONS = {
  write: flag('--write', 'write the proposed settings into the config'),
  roles: flag('--roles', 'also say which fields may fill the columns that views ask for'),
};

export const addCheck = commandOf(OPTIONS, async (options) => {
  const checked = await checkConfig(options);
  const { listings, changes } = await decide(checked, options);
  if (!options.json) return;
  const { listings: _, settled, ...found } = checked.check;
  const settings = fragmentsOf(found.proposals);
  const written = options.write ? { written: changes } : {};
  say({ listings, ...found, ofLake: checked.ofLake, settings, ...written });
});

/**
 * Says what was found, unless with `json`. Writes into the config what `check` proposes, with `write`, and the answers of
 * a person at the terminal. Sets the exit code.
 */
export async function decide(
  checked: CheckedConfig,
  options: GlobalOptions & { readonly write: boolean; readonly roles: boolean },
): Promise<{ readonly listings: readonly Checked[]; readonly changes: readonly Change[] }> {
  const { check, written, names } = checked;
  const { write, json } = options;
  const listings = write ? check.settled : check.listings;
  if (!json) printListings({ ...checked, listings }, options);
  const mayAsk = process.stdin.isTTY && !json && check.questions.length > 0;
  const asking = mayAsk ? (await import('./ask-terminal.ts')).askTerminal() : undefined;
  const answers = asking === undefined ? [] : await askedSettings(check.questions, { asking, names });
  const changes = await writeProposals(written, [...(write ? check.proposals : []), ...answers]);
  const open = check.questions.filter(
    ({ source, cures }) =>
      !answers.some((one) => one.source === source && cures.some(({ setting }) => setting === one.setting)),
  );
  if (!json) printSettled(checked, { ...options, listings, changes, hasOpen: open.length > 0 });
  process.exitCode = EXIT[checkStatus(listings)];
  return { listings, changes };
}
