import type { FleetDay } from './fleet.ts';
import { formNamed } from './forms/table.ts';
import type { Life } from './life.ts';
import { idOf } from './serve-life.ts';
import { type Cell, type Kind, PARENT_OF, TABLES, type Table } from './truth.ts';

export const SOURCE_OF: Readonly<Record<Kind, string>> = { signage: 'berlin', backup: 'vault' };

/** A row that a table must have. */
export interface Expected {
  readonly source: string;
  readonly parent: string | null;
  /** By the field's name in snake_case; the id as the API said it. */
  readonly fields: Readonly<Record<string, Cell>>;
}

export interface ExpectedTable {
  readonly rows: readonly Expected[];
  /** Where a field may be: its own name, or that behind what the form puts around it. */
  readonly columns: (field: string) => readonly string[];
}

export type ExpectedDay = ReadonlyMap<Table, ExpectedTable>;

/** What the tables must say on a day. */
export function expectedOf(life: Life, { tables }: FleetDay): ExpectedDay {
  const expected = new Map<Table, ExpectedTable>();
  for (const { kind, form: name } of life.sources) {
    const form = formNamed(name);
    for (const table of TABLES[kind]) {
      const rows = tables[table].map(({ parent, record }) => ({
        source: SOURCE_OF[kind],
        parent: parent === null ? null : String(idOf(form, parent)),
        fields: Object.fromEntries(
          Object.entries(record).map(([field, value]) => [
            form.renames?.[field] ?? field,
            field === 'id' ? idOf(form, Number(value)) : value,
          ]),
        ),
      }));
      expected.set(table, { rows, columns: columnsOf(table, form.below ?? []) });
    }
  }
  return expected;
}

/** The id of a parent is the column of its children: `player_id` of players too. */
const ID_COLUMNS: Readonly<Partial<Record<Table, string>>> = {
  players: 'player_id',
  backup_storages: 'storage_id',
};

export function parentColumn(table: Table): string | null {
  const parent = PARENT_OF[table];
  return parent === undefined ? null : (ID_COLUMNS[parent] ?? null);
}

function columnsOf(table: Table, below: readonly string[]): ExpectedTable['columns'] {
  return (field) => {
    const own = field === 'id' ? [ID_COLUMNS[table] ?? 'id', 'id', '_id'] : [field];
    return [...own, ...below.flatMap((name) => own.map((each) => `${name}_${each}`))];
  };
}
