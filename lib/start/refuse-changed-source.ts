import { UsageError } from '../errors.ts';
import type { Lake } from '../lake/lake.ts';
import { hasRaw } from '../run/raw-of-run.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { Source } from '../sources/source.ts';

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
