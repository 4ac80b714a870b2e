import { describe, expect, it } from 'vitest';
import { checkSources } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { fragmentsOf } from '#cli/proposals.ts';
import { kindOf, SERVED } from '#simulator/kind.ts';
import { AXES } from '#simulator/profiles/axes.ts';
import { profileOf } from '#simulator/profiles/dialect.ts';
import { FAULTY_PAGING } from '#simulator/profiles/faulty-paging.ts';
import { idsOf } from '#simulator/profiles/ids.ts';
import type { Profile } from '#simulator/profiles/profile.ts';
import { PROFILES, profileNamed } from '#simulator/profiles/table.ts';
import { recordsOf } from '#simulator/world/listing.ts';
import { drawn } from '../support/drawn.ts';
import { exportLab, type LabSettings, labSecrets } from '../support/export-lab.ts';
import { someOf } from '../support/some-of.ts';
import { type Exported, exportDays, timeOf, WORLD } from '../values/export-days.ts';
import { lostValues } from '../values/lost-values.ts';

/** The zone of a profile with local times. */
const ZONE = 'Europe/Berlin';
const MAP = { items: '{}' };

interface Case {
  /** Without a line of configuration: all is there, a question asks for the rest, or an error names the setting. */
  readonly alone: 'whole' | 'question' | 'error';
  /** What a person who knows the API would write. */
  readonly settings?: LabSettings;
}

const CASES: Readonly<Record<string, Case>> = {
  reference: { alone: 'whole' },
  'backup-2023': { alone: 'error', settings: { backup: { product: 'backups', versions: { slots: 1 } } } },
  'paged-standard': { alone: 'whole' },
  odata: { alone: 'whole' },
  marker: { alone: 'whole' },
  // Its groups are a map, which two alike entries prove.
  cursor: { alone: 'whole', settings: { signage: { resources: { app_groups: MAP } } } },
  'limit-skip': { alone: 'whole' },
  // A player with one transfer is a map of one entry, which those with two prove.
  'link-header': { alone: 'whole', settings: { signage: { resources: { pending_file_transfers: MAP } } } },
  'legacy-dotnet': { alone: 'whole' },
  'camel-local': { alone: 'question', settings: { signage: { timeZone: ZONE }, backup: { timeZone: ZONE } } },
  'guid-drf': { alone: 'whole' },
  'keyed-map': { alone: 'whole', settings: { signage: mapsOf('signage'), backup: mapsOf('backup') } },
};

function mapsOf(kind: 'signage' | 'backup') {
  const names = SERVED.filter((each) => each.kind === kind).map(({ name }) => name);
  return { resources: Object.fromEntries(names.map((name) => [name, MAP])) };
}

const DAYS = [0, 1];
const namesOf = (alone: Case['alone']) =>
  Object.entries(CASES).flatMap(([name, each]) => (each.alone === alone ? [name] : []));

/** Local times of three forms, in JSON. */
const LOCAL = /"(?:(\d{4})-(\d\d)-(\d\d)[T ]|(\d\d)\.(\d\d)\.(\d{4}) )(\d\d:\d\d:\d\d)"/g;

/** A local time as its moment; unchanged where it is none. */
function inZone(...[text = '', y, m, d, day, month, year, time]: readonly string[]): string {
  const local = `${y ?? year}-${m ?? month}-${d ?? day}T${time}`;
  const moments = ['+01:00', '+02:00'].map((offset) => new Date(`${local}${offset}`));
  const found = moments.find((at) => at.toLocaleString('sv', { timeZone: ZONE }).replace(' ', 'T') === local);
  return found === undefined ? text : JSON.stringify(found);
}

/** What a profile served, as records in JSON; local times as moments. */
function servedBy({ lab }: Exported, { served, text, dialect }: Profile, day: number) {
  const today = lab.simulator.world.at(day);
  return SERVED.map(({ name, parent }) => {
    const ids =
      parent === null ? [undefined] : [...(parent === 'players' ? today.playerIds() : today.storageIds())];
    const records = ids.flatMap((id) => {
      const listing = today.listing(name, id);
      const parentId =
        parent === null || id === undefined
          ? null
          : String(idsOf(dialect[kindOf(parent)].id).write(parent, id));
      return [...(listing === undefined ? [] : recordsOf(served(listing)))].map((record) => ({
        parentId,
        text: text(record).replaceAll(LOCAL, inZone),
      }));
    });
    return { name, records };
  });
}

async function expectWhole(exported: Exported, profile: Profile, days: readonly number[]): Promise<void> {
  const { lake, rows } = exported.lab;
  for (const day of days)
    for (const { name: resource, records } of servedBy(exported, profile, day)) {
      const source = kindOf(resource) === 'backup' ? 'vault' : 'berlin';
      const at = { lake, rows, source, date: timeOf(day).slice(0, 10) };
      expect(await lostValues({ ...at, resource, served: records }), `${resource} on day ${day}`).toEqual([]);
      expect(records.length).toBeGreaterThan(0);
    }
}

it('each profile that says what it has is here', () => {
  const others = new Set(['hostile-data', ...FAULTY_PAGING.map(({ name }) => name)]);
  expect(PROFILES.map(({ name }) => name).filter((name) => !others.has(name))).toEqual(Object.keys(CASES));
});

describe('with the settings that it needs, each value of a profile is in its cell, typed as in reference', () => {
  /** The types of the columns of reference, by table and name. */
  let reference: ReadonlyMap<string, string>;

  it.each(Object.entries(CASES))('%s', async (name, { settings = {} }) => {
    await using exported = await exportDays({ profile: name, settings, days: DAYS });
    for (const { status, sources } of someOf(exported.summaries)) {
      expect(status).toBe('complete');
      expect(sources.flatMap(({ questions, drift }) => [...questions, ...drift])).toEqual([]);
    }
    await expectWhole(exported, profileNamed(name), DAYS);
    const types = await typesOf(exported);
    reference ??= types;
    // An id may be a text.
    const both = [...types].filter(([column]) => reference.has(column) && !/[ _]id$/.test(column));
    expect(both.length).toBeGreaterThan(50);
    for (const [column, type] of both) expect(type, column).toBe(reference.get(column));
  });
});

/** Dialects that have each value of each axis. */
const OF_AXES = Array.from(
  { length: Math.max(...Object.values(AXES).map((values) => values.length)) },
  (_, at) => {
    const axes = Object.fromEntries(
      Object.entries(AXES).map(([name, values]) => [name, values[at % values.length]]),
    );
    return profileOf({ name: JSON.stringify(axes), signage: axes, backup: axes });
  },
);

it.each(drawn(OF_AXES))('each value is in its cell with $name', async (profile) => {
  const source = { timeZone: ZONE };
  const settings = { signage: source, backup: source };
  await using exported = await exportDays({ profile, settings, days: DAYS });
  expect(exported.summaries.map(({ status }) => status)).toEqual(['complete', 'complete']);
  await expectWhole(exported, profile, DAYS);
});

/** The types of the columns that have a value. */
async function typesOf({ lab }: Exported): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  for (const { name } of SERVED) {
    const [counts] = await lab.rows(`select count(columns(*)) from ${name}_daily`);
    const columns = await lab.rows(`select column_name, column_type from (describe ${name}_daily)`);
    for (const { column_name, column_type } of columns)
      if (Number(counts?.[String(column_name)]) > 0) types.set(`${name} ${column_name}`, String(column_type));
  }
  return types;
}

/** A day of a profile with these settings, which is whole. */
async function expectWholeDay(profile: string, settings: LabSettings): Promise<void> {
  await using exported = await exportDays({ profile, settings, days: [0] });
  expect(exported.summaries).toMatchObject([{ status: 'complete' }]);
  await expectWhole(exported, profileNamed(profile), [0]);
}

// Only a person knows the zone; the one that stands for it here is that of the world.
it.each(drawn([...namesOf('error'), ...namesOf('question')]))(
  'what check says is to be written makes the export whole: %s',
  async (name) => {
    await using lab = await exportLab({ ...WORLD, profile: name });
    await using services = localApiServices(localServices(lab.lake), labSecrets(lab.simulator));
    const { proposals, questions } = await checkSources(lab.written, services);
    const codes = new Set(questions.map(({ code }) => code));
    expect([...codes]).toEqual(CASES[name]?.alone === 'question' ? ['TIME_ZONE_UNKNOWN'] : []);
    const answers = questions.flatMap(({ source, resource, cures }) =>
      cures.map(({ setting }) => ({ source, resource, setting, value: ZONE, why: 'a person says so' })),
    );
    const { berlin, vault } = fragmentsOf([...proposals, ...answers]);
    const signage = berlin instanceof Object && { signage: berlin };
    await expectWholeDay(name, { ...signage, ...(vault instanceof Object && { backup: vault }) });
  },
);

// Those that need no setting are compared above.
it.each(namesOf('whole').filter((name) => CASES[name]?.settings !== undefined))(
  'without configuration nothing of %s is silently missing',
  (name) => expectWholeDay(name, {}),
);
