import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { hasRaw } from '../run/raw-of-run.ts';
import { type RunRecord, readRunRecordIfAny } from '../run/run-record.ts';
import { exportDate } from '../run-id.ts';
import type { Source } from '../sources/source.ts';
import { allOf, didYouMean } from '../text.ts';

/**
 * These settings change how a source is asked or read, but not what it is asked. The secret's name is not one
 * of them: in many APIs the key decides which players are listed. The key itself may be rotated.
 */
const OTHER_SETTINGS: readonly string[] = [
  'was',
  'concurrency',
  'requestsPerSecond',
  'timeZone',
  'caFile',
  'allowHttp',
  'strict',
  'maxListingBytes',
  'maxFields',
  'maxDepth',
  'maxColumns',
];
/** The same for a resource of the source. */
const OTHER_RESOURCE_SETTINGS: readonly string[] = ['columns', 'drop', 'mask'];

/**
 * Refuses to resume a run if its sources are asked something else now. Half of the answers would come from
 * one server and half from another. Sources without answers may change. Throws UsageError RUN_CHANGED.
 */
export async function refuseChangedSource(
  lake: Lake,
  { earlier, now }: { readonly earlier: RunRecord; readonly now: readonly Source[] },
): Promise<void> {
  for (const source of now) {
    const before = earlier.config.sources.find(({ name }) => name === source.name);
    const change = before && firstChange(settingsThatAsk(before), settingsThatAsk(source));
    if (change === undefined || !(await hasRaw(lake, { runId: earlier.runId, source: source.name })))
      continue;
    const { field, before: was, now: is } = change;
    throw new UsageError(
      `${field} of source ${source.name} was ${shownSetting(was)} when run ${earlier.runId} began, and is ${shownSetting(is)} now: the run would mix the answers of both. Put the old value back and start the run again, or leave --run-time out for a new run.`,
      'RUN_CHANGED',
    );
  }
}

/** The settings that decide what a source is asked, by their names in the config. */
function settingsThatAsk(source: Source): ReadonlyMap<string, unknown> {
  const { resources, ...own } = source;
  const fields = Object.entries(own).filter(([name]) => !OTHER_SETTINGS.includes(name));
  const ofResources = Object.entries(resources).flatMap(([resource, settings]) =>
    Object.entries(settings ?? {})
      .filter(([name]) => !OTHER_RESOURCE_SETTINGS.includes(name))
      .map(([name, value]) => [`resources.${resource}.${name}`, value] as const),
  );
  return new Map<string, unknown>([...fields, ...ofResources]);
}

function firstChange(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>) {
  for (const field of new Set([...before.keys(), ...now.keys()])) {
    const [was, is] = [before.get(field), now.get(field)];
    if (JSON.stringify(was) !== JSON.stringify(is)) return { field, before: was, now: is };
  }
  return undefined;
}

function shownSetting(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}

/**
 * Refuses a run that replaces the newest run's day only because the config has a new time zone. In the old
 * zone the run has a day of its own. Throws UsageError ZONE_MOVED.
 */
export async function refuseMovedDay(
  head: Head,
  { lake, runId, timeZone }: { readonly lake: Lake; readonly runId: string; readonly timeZone: string },
): Promise<void> {
  const date = exportDate(runId, timeZone);
  if (head.runId === runId || date > head.exportDate) return;
  const before = (await readRunRecordIfAny(lake, head.runId))?.config.timeZone ?? timeZone;
  if (before === timeZone || exportDate(runId, before) <= head.exportDate) return;
  throw new UsageError(
    `timeZone was ${before} and is ${timeZone} now, where it is still ${date}: this run would replace the rows of ${head.exportDate}. Start it again when the next day has begun in ${timeZone}, or put the old zone back.`,
    'ZONE_MOVED',
  );
}

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
