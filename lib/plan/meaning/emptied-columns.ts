import type { RunRecord } from '../../run/run-record.ts';
import { type NamedPath, pathText } from '../../schema/columns/assign-names.ts';
import type { Schema, SchemaColumn } from '../../schema/schema.ts';
import type { Question } from '../../sources/question.ts';
import { nearest } from '../../text.ts';
import type { SourceObserved } from '../observe-sources.ts';
import { columnsOfSource } from './columns-of-source.ts';

/** The number of the source's records that can show the path: an object that is kept as text hides its members. */
export function recordsWith({ source, path }: NamedPath, observed: readonly SourceObserved[]): number {
  const profiles = observed.find((each) => each.source === source)?.profiles ?? [];
  const ancestors = new Set(path.slice(0, -1).map((_, end) => pathText(path.slice(0, end + 1))));
  if (profiles.some((each) => ancestors.has(pathText(each.path)))) return 0;
  return Math.max(0, ...profiles.map(({ profile }) => profile.records));
}

/** True if a path emptied, and another path of its source fills the column. Then its field has a new name. */
export function isReplaced(
  { source, filled }: FilledPath,
  { paths }: { readonly paths: readonly FilledPath[] },
): boolean {
  return (
    filled?.emptied !== undefined &&
    paths.some(
      (path) =>
        path.source === source && (path.filled?.values ?? 0) > 0 && path.filled?.emptied === undefined,
    )
  );
}

type FilledPath = Pick<SchemaColumn['paths'][number], 'source' | 'filled'>;

/**
 * The questions about columns of a source that nearly no record fills any more, unless TYPE_MISFIT asks about
 * them. Each run repeats them until the column has values again, or the config says that it is gone.
 */
export function emptiedQuestions(
  schema: Schema,
  { source, record }: { readonly source: string; readonly record: Pick<RunRecord, 'config'> },
): readonly Question[] {
  const emptied = columnsOfSource(schema, source, record.config).filter(({ path }) => path.filled?.emptied);
  const firsts = emptied.filter(({ column }, at) => column !== emptied[at - 1]?.column);
  return firsts.flatMap((each): readonly Question[] => {
    const { column, columns, own, path, isMisfit, resource, place } = each;
    const { emptied, records, values } = path.filled ?? {};
    if (emptied === undefined || own?.gone === true || isMisfit) return [];
    const says = `${values} of ${records} records have a value; before ${emptied.date} it was ${emptied.values} of ${emptied.records}`;
    const renamed = newName(columns, { column, source, since: emptied.since });
    return [
      each.ask('COLUMN_EMPTIED', says, [
        ...renamed.map((name) => ({
          setting: `resources.${resource}.columns.${name}.as`,
          choices: [column.name],
          when: 'this is its new name',
        })),
        { setting: `${place}.gone`, choices: [true], when: 'the API no longer has it' },
      ]),
    ];
  });
}

/** The source's column that is new since then and has the same type and a similar name, if any. */
function newName(
  columns: readonly SchemaColumn[],
  of: { readonly column: SchemaColumn; readonly source: string; readonly since: string },
): readonly string[] {
  const isNew = ({ firstSeen, type, paths }: SchemaColumn) =>
    firstSeen >= of.since && type === of.column.type && paths.some(({ source }) => source === of.source);
  const names = columns.filter(isNew).map(({ name }) => name);
  const words = new Set(of.column.name.split('_'));
  const near =
    nearest(of.column.name, names) ?? names.find((name) => name.split('_').some((word) => words.has(word)));
  return near === undefined ? [] : [near];
}
