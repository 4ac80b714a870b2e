import type { Config } from '#lib/config/config.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import type { AskedListing } from '../support/asked-listing.ts';
import { type LabSettings, labConfig, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { servedLake } from './clocked-lake.ts';

type Records = readonly object[];

/** A listing's records or its whole answer, and of a listing with parents the records by parent; 'denied' answers 403. */
type Said = Records | object | Readonly<Record<string, Records | 'denied'>>;

/** What the APIs say on a day, by listing; one that a day does not name is empty. */
export interface Day extends Readonly<Partial<Record<ResourceName, Said | 'denied'>>> {
  /** Every call is answered 403. */
  readonly refused?: boolean;
  /** How long each call takes; without it the clock stands still. */
  readonly hoursPerCall?: number;
  /** Settings put over those of each source. */
  readonly settings?: object;
  /** Sources that leave the config. */
  readonly without?: readonly string[];
  /** What the APIs of the twins say, with the same ids, where the lab has twins. */
  readonly twins?: Day;
}

export type ViewLab = Awaited<ReturnType<typeof viewLab>>;

/** A run of a lab: its time, what the APIs say then, and the sources that it asks, if not all. */
export type LabRun = readonly [runTime: string, day: Day, sources?: string[]];

/** A lab after these runs. */
export async function labAfter(lab: Promise<ViewLab>, runs: Iterable<LabRun>): Promise<ViewLab> {
  const made = await lab;
  for (const run of runs) await made.run(...run);
  return made;
}

/** A second source of each kind, at the same server below a path of its own. */
const TWINS = [
  { name: 'munich', like: 'berlin' },
  { name: 'tresor', like: 'vault' },
];

interface Twins {
  readonly twins?: boolean;
}

/**
 * Small truths of a test's own, served as the APIs of the lab's config and exported: sources berlin and vault, and with
 * `twins` one more of each kind, munich and tresor.
 */
export async function viewLab(settings: LabSettings = {}, { twins = false }: Twins = {}) {
  let today: Day = {};
  let clock = 0;
  const answer = (asked: AskedListing) => {
    clock += (today.hoursPerCall ?? 0) * 3_600_000;
    const isTwin = TWINS.some(({ name }) => name === asked.source);
    const said = isTwin ? (today.twins ?? {}) : today;
    const found = said.refused === true ? 'denied' : bodyOf(said, asked);
    if (found === 'denied') return { status: 403, body: '{"Message":"denied"}' };
    return { body: JSON.stringify(found) };
  };
  const configAt = (url: string) => {
    const one = labConfig(url, settings);
    return twins ? { ...one, sources: [...one.sources, ...twinsOf(one)] } : one;
  };
  const lake = await servedLake(configAt, answer);
  return {
    ...lake,
    /** One run whose clock is at that time, against what the APIs say then; of these sources alone, if any are named. */
    run: (runTime: string, day: Day, sources?: string[]) => {
      today = day;
      clock = Date.parse(runTime);
      const { settings, without = [] } = day;
      return lake.run(runTime, sources, {
        now: () => new Date(clock),
        without,
        ...(settings && { settings }),
      });
    },
  };
}

/** The same without sources of the backup kind, whose tables take a third of the time of a run. */
export async function signageViewLab(settings: LabSettings = {}, twins: Twins = {}): Promise<ViewLab> {
  return await viewLab({ ...settings, ...SIGNAGE_ALONE }, twins);
}

function twinsOf({ sources }: Config): Config['sources'] {
  return TWINS.flatMap(({ name, like }) =>
    sources
      .filter((source) => source.name === like)
      .map((source) => ({ ...source, name, basePath: `/${name}${source.basePath}` })),
  );
}

function bodyOf(day: Day, { name, parentId }: AskedListing): unknown {
  const said = day[name] ?? [];
  if (typeof said === 'string') return said;
  return parentId === undefined ? said : (Reflect.get(said, parentId) ?? []);
}
