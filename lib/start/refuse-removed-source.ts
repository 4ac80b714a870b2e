import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { allOf, didYouMean } from '../text.ts';

/**
 * Refuses a run without a source of the lake: all its records would count as removed. A mistyped name does
 * the same. `accepted` are removed on purpose. Throws UsageError SOURCE_REMOVED.
 */
export function refuseRemovedSource(
  head: Head | undefined,
  { config, accepted }: { readonly config: Config; readonly accepted: readonly string[] },
): void {
  const names = config.sources.map(({ name }) => name);
  const kept = accepted.find((name) => names.includes(name));
  if (kept !== undefined)
    throw new UsageError(
      `--accept-source-removal names ${JSON.stringify(kept)}, which is still a source of the config: remove the source there first, or leave the option out.`,
    );
  const known = head?.sources ?? [];
  const strange = accepted.find((name) => head !== undefined && !known.includes(name));
  if (strange !== undefined)
    throw new UsageError(
      `--accept-source-removal names ${JSON.stringify(strange)}, which is no source of the lake: ${didYouMean(strange, { known, otherwise: `it has ${allOf(known)}` })}`,
    );
  const missing = known.filter((name) => !names.includes(name) && !accepted.includes(name));
  if (missing.length === 0) return;
  const options = missing.map((name) => `--accept-source-removal ${name}`).join(' ');
  throw new UsageError(
    `The config no longer has ${allOf(missing)}, and the lake has its records: this run would report all of them as removed. If the name was changed, write ${wasText(missing)} into the source with the new name, and its history comes with it; or put the old name back. If the source is gone for good, start one run with ${options}.`,
    'SOURCE_REMOVED',
  );
}

const wasText = (missing: readonly string[]) =>
  missing.map((name) => `"was": ${JSON.stringify(name)}`).join(' or ');
