import { COLUMN_TYPES } from '#lib/column-types.ts';
import { UsageError } from '#lib/errors.ts';
import { plainPath } from '#lib/lake/raw/marks.ts';
import type { OperationPreview } from '#lib/run/payloads.ts';
import { readingText } from '#lib/schema/cells/formats.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { questionsText } from '#lib/sources/question.ts';
import { RESOURCE_NAMES } from '#lib/sources/resources.ts';
import { counted, didYouMean } from '#lib/text.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { existingLake } from './local-services.ts';
import { extentText, FIRST, operatorCommand } from './operate.ts';
import { commandOf, flag, innerCommands, ofStack, optionalWord, word } from './options.ts';
import { say, show as showText, tell } from './say.ts';
import { textTable } from './text-table.ts';

const APPLY = {
  place: word('<table.column>', 'such as licenses.total_count'),
  type: word('<type>', COLUMN_TYPES.join(', ')),
  acceptLoss: flag('put values that the type cannot hold into rejects, also if their raw answers are gone'),
  ...FIRST,
};
const NEW_KEY = {
  acceptLoss: flag('move masks into rejects that cannot be made again, because their raw answers are gone'),
};
const SHOW = { table: optionalWord('[table]', 'only this table'), deployed: ofStack() };

const show = commandOf(SHOW, async (options) => {
  const columns = await shownColumns(options.lake, options.table);
  if (options.json) say({ columns });
  else showText(textTable(HEAD, columns.map(Object.values<string>)));
});

const apply = operatorCommand(APPLY, ({ json, acceptLoss, place, ...given }) => {
  const type = COLUMN_TYPES.find((each) => each === given.type);
  if (type === undefined)
    throw new UsageError(
      `${JSON.stringify(given.type)} is no type: write one of ${COLUMN_TYPES.join(', ')}.`,
    );
  const wanted = { ...parsePlace(place), type, acceptLoss };
  return {
    operation: { command: 'apply', ...wanted },
    asks: (found) => `${place} as ${type} ${cellsText(found)}`,
    ended: ({ head }) => {
      const days = Object.keys(head.tables[wanted.table]?.dates ?? {}).length;
      const done = `${place} is ${type} now, in ${counted(days, 'day')}.`;
      tell({ json }, { ...wanted, applied: true, days }, done);
    },
  };
});

const newKey = operatorCommand(NEW_KEY, ({ json, acceptLoss }) => ({
  operation: { command: 'new-mask-key', acceptLoss },
  ended: () =>
    tell(
      { json },
      { acceptLoss },
      'All masks are made with the new key now. The old masks in changes and rejects are masked once more.',
    ),
}));

export const addSchema = innerCommands({
  show: ['every column: its type, where the API has it, how it is read, which questions are open', show],
  apply: ['give a column another type, in all days that are kept and in every later run', apply],
  'new-mask-key': [
    'make all masks again by the key that maskSecret holds now, in all days that are kept',
    newKey,
  ],
});

function cellsText({ cells, rewritten }: OperationPreview): string {
  const { days = 0, kept = 0, changed = 0, emptied = 0, filled = 0 } = cells ?? {};
  const values = [
    `${counted(kept, 'value stays as it is', 'values stay as they are')}`,
    ...(changed > 0 ? [`${changed} ${changed === 1 ? 'is' : 'are'} written in another way`] : []),
    ...(filled > 0 ? [`${counted(filled, 'comes into its cell', 'come into their cells')}`] : []),
    emptied === 1
      ? '1 leaves its cell and goes to rejects'
      : `${emptied} leave their cells${emptied > 0 ? ' and are in rejects' : ''}`,
  ];
  return `in ${counted(days, 'day')}: ${values.join(', ')}. ${extentText(rewritten)} are written again.`;
}

const HEAD = ['table', 'column', 'type', 'in the API', 'read as', 'to decide'];

/** Rows of the table, their cells in its order. */
async function shownColumns(lake: string, only: string | undefined) {
  await using tables = await openTables(await existingLake(lake));
  const all = Object.entries(tables.schema.tables);
  const shown = all.filter(([table]) => only === undefined || table === only);
  if (only !== undefined && shown.length === 0) {
    const own = TABLES.find(({ name }) => name === only);
    const known = TABLES.map((table) => table.name);
    const cure = didYouMean(only, { known, otherwise: `there are ${known.join(', ')}` });
    if (own === undefined) throw new UsageError(`There is no table ${JSON.stringify(only)}: ${cure}`);
    return own.columns.map(({ name: column, type, description: reading }) => ({
      ...{ table: own.name, column, type, path: '', reading, question: '' },
    }));
  }
  return shown.flatMap(([table, { columns }]) =>
    columns.map(({ name, type, provisional, paths, readings, drift, questions }) => {
      const read = Object.values(readings).flatMap((reading) => readingText(reading) ?? []);
      return {
        table,
        column: name,
        type: provisional ? `${type} (no value yet)` : type,
        path: [...new Set(paths.map(({ path }) => plainPath(path)))].join(', '),
        reading: [...new Set(read)].join('; '),
        question: questionsText([...drift, ...questions]),
      };
    }),
  );
}

function parsePlace(place: string) {
  const [name, column, ...rest] = place.split('.');
  const table = RESOURCE_NAMES.find((each) => each === name);
  if (table !== undefined && column !== undefined && rest.length === 0) return { table, column };
  const due = `write TABLE.COLUMN with a table of ${RESOURCE_NAMES.join(', ')}`;
  throw new UsageError(`${JSON.stringify(place)} is no column: ${due}.`);
}
