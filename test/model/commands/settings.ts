import fc from 'fast-check';
import { COLUMN_TYPES } from '#lib/column-types.ts';
import type { TableName } from '../reference-lake.ts';
import { type Command, change, type Settings, SOURCES } from './model.ts';
import { COLUMNS, FIELDS } from './truths.ts';

export const zones = fc
  .record({ source: fc.constantFrom(...SOURCES), timeZone: fc.constantFrom('Etc/GMT-2', 'America/New_York') })
  .map(
    (given): Command => ({
      check: () => true,
      run: async (model) => {
        const sources = model.settings.sources.map((source) =>
          source.name === given.source ? { ...source, timeZone: given.timeZone } : source,
        );
        model.settings = { ...model.settings, sources };
      },
      [fc.toStringMethod]: () => `zone(${JSON.stringify(given)})`,
    }),
  );

/** A type in the config of both sources, or none. */
export const types = fc
  .record({
    place: fc.constantFrom(...COLUMNS),
    type: fc.constantFrom(null, ...COLUMN_TYPES),
  })
  .map(
    ({ place, type }): Command => ({
      check: () => true,
      run: async (model) => {
        const { [place]: _, ...others } = model.settings.types;
        model.settings = { ...model.settings, types: type === null ? others : { ...others, [place]: type } };
      },
      [fc.toStringMethod]: () => `type(${place} ${type})`,
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
export const hide = (how: 'drop' | 'mask', { source, table, path }: Place): Command => ({
  check: () => true,
  run: async (model) => {
    model.settings = change(model.settings, source, (own) => {
      const isIn = own[how][table].includes(path);
      const now = isIn ? own[how][table].filter((each) => each !== path) : [...own[how][table], path];
      return { ...own, [how]: { ...own[how], [table]: now } };
    });
  },
  [fc.toStringMethod]: () => `${how}(${source} ${table}.${path})`,
});

/** How long raw answers and days are kept, from the next commit on. */
export const retention = (given: Pick<Settings, 'rawRetentionDays' | 'dailyRetentionDays'>): Command => ({
  check: () => true,
  run: async (model) => {
    model.settings = { ...model.settings, ...given };
  },
  [fc.toStringMethod]: () => `retention(${JSON.stringify(given)})`,
});

export const retentions = fc
  .record({
    rawRetentionDays: fc.constantFrom(0, 1, 3, 36_500),
    dailyRetentionDays: fc.constantFrom(null, null, 1, 3, 40),
  })
  .map(retention);

/** The second source leaves the config, or comes back. */
export const leaves = fc.constant<Command>({
  check: () => true,
  run: async (model) => {
    model.settings = change(model.settings, 'b', (own) => ({ ...own, isGone: !own.isGone }));
  },
  [fc.toStringMethod]: () => 'b leaves or comes back',
});
