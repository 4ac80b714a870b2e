import fc from 'fast-check';
import { COLUMN_TYPES } from '#lib/column-types.ts';
import type { TableName } from '../reference-lake.ts';
import { change, command, type Settings, SOURCES, says } from './model.ts';
import { COLUMNS, FIELDS } from './truths.ts';

export const zones = fc
  .record({ source: fc.constantFrom(...SOURCES), timeZone: fc.constantFrom('Etc/GMT-2', 'America/New_York') })
  .map((given) =>
    command(says('zone', given), async (model) => {
      const sources = model.settings.sources.map((source) =>
        source.name === given.source ? { ...source, timeZone: given.timeZone } : source,
      );
      model.settings = { ...model.settings, sources };
    }),
  );

/** A type in the config of both sources, or none. */
export const types = fc
  .record({
    place: fc.constantFrom(...COLUMNS),
    type: fc.constantFrom(null, ...COLUMN_TYPES),
  })
  .map(({ place, type }) =>
    command(`type(${place} ${type})`, async (model) => {
      const { [place]: _, ...others } = model.settings.types;
      model.settings = { ...model.settings, types: type === null ? others : { ...others, [place]: type } };
    }),
  );

/** A path of a source's records. */
interface Place {
  readonly source: string;
  readonly table: TableName;
  readonly path: string;
}

export const places: fc.Arbitrary<Place> = fc
  .record({
    source: fc.constantFrom(...SOURCES),
    table: fc.constantFrom('players' as const, 'screens' as const),
    field: fc.constantFrom(0, 1),
  })
  .map(({ field, ...given }) => ({ ...given, path: FIELDS[given.table][field] ?? '' }));

/** A path that a source hides, or no longer. */
export const hide = (how: 'drop' | 'mask', { source, table, path }: Place) =>
  command(`${how}(${source} ${table}.${path})`, async (model) => {
    model.settings = change(model.settings, source, (own) => {
      const isIn = own[how][table].includes(path);
      const now = isIn ? own[how][table].filter((each) => each !== path) : [...own[how][table], path];
      return { ...own, [how]: { ...own[how], [table]: now } };
    });
  });

/** How long raw answers and days are kept, from the next commit on. */
export const retention = (given: Pick<Settings, 'rawRetentionDays' | 'dailyRetentionDays'>) =>
  command(says('retention', given), async (model) => {
    model.settings = { ...model.settings, ...given };
  });

export const retentions = fc
  .record({
    rawRetentionDays: fc.constantFrom(0, 1, 3, 36_500),
    dailyRetentionDays: fc.constantFrom(null, null, 1, 3, 40),
  })
  .map(retention);

/** The second source leaves the config, or comes back. */
export const leaves = fc.constant(
  command('b leaves or comes back', async (model) => {
    model.settings = change(model.settings, 'b', (own) => ({ ...own, isGone: !own.isGone }));
  }),
);
