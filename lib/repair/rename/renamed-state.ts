import type { Renamed } from '../../run/renamed-sources.ts';
import type { RunSummary } from '../../run/summary.ts';
import type { Schema } from '../../schema/schema.ts';

interface OfSource {
  readonly source: string;
}

/** What the lake knows about columns, with the new name of a source. */
export function renamedSchema(schema: Schema, renamed: Renamed): Schema {
  const own = <Each extends OfSource>(each: Each): Each => ofNew(each, renamed);
  const keyed = <Value>(byName: Readonly<Record<string, Value>>) => byNewName(byName, renamed);
  return {
    ...schema,
    tables: Object.fromEntries(
      Object.entries(schema.tables).map(([name, table]) => [
        name,
        {
          ...table,
          keys: keyed(table.keys),
          questions: table.questions.map(own),
          duplicates: table.duplicates.map(own),
          ...(table.samples !== undefined && { samples: keyed(table.samples) }),
          columns: table.columns.map((column) => ({
            ...column,
            paths: column.paths.map(own),
            readings: keyed(column.readings),
            masked: column.masked.map((source) => (source === renamed.was ? renamed.name : source)),
            questions: column.questions.map(own),
            drift: column.drift.map(own),
            rejects: keyed(column.rejects),
          })),
        },
      ]),
    ),
  };
}

/** What a run said, with the new name of a source. */
export function renamedSummary(summary: RunSummary, renamed: Renamed): RunSummary {
  const named = <Each extends { readonly name: string }>(each: Each): Each =>
    each.name === renamed.was ? { ...each, name: renamed.name } : each;
  const own = <Each extends OfSource>(each: Each): Each => ofNew(each, renamed);
  return {
    ...summary,
    sources: summary.sources.map((source) => ({
      ...named(source),
      questions: source.questions.map(own),
      notes: source.notes.map(own),
    })),
    ...(summary.uncalled && { uncalled: summary.uncalled.map(named) }),
    ...(summary.leftOut && { leftOut: summary.leftOut.map(named) }),
  };
}

const ofNew = <Each extends OfSource>(each: Each, { was, name }: Renamed): Each =>
  each.source === was ? { ...each, source: name } : each;

/** The order stays, because columns and questions come in it. */
const byNewName = <Value>(byName: Readonly<Record<string, Value>>, { was, name }: Renamed) =>
  Object.fromEntries(Object.entries(byName).map(([key, value]) => [key === was ? name : key, value]));
