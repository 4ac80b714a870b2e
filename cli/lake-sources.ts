import type { Config } from '#lib/config/config.ts';
import { UsageError } from '#lib/errors.ts';
import type { Head } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { renamedSources } from '#lib/run/renamed-sources.ts';
import { refuseRemovedSource } from '#lib/start/refuse-removed-source.ts';

/** What the next run does with the sources of the lake that the config lacks: it renames them, or is refused. */
export async function saidOfSources(
  lake: Lake,
  { head, config }: { readonly head: Head | undefined; readonly config: Config },
): Promise<readonly string[]> {
  try {
    const renamed = await renamedSources(lake, { head, config });
    refuseRemovedSource(head, { config, accepted: renamed.map(({ was }) => was) });
    return renamed.map(({ was, name }) => `The next run gives the history of ${was} to ${name}.`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [`${error.message} (${error.code})`];
  }
}
