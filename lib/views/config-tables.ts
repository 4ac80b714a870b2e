import type { Schema } from '../schema/schema.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import type { Unsaid } from './given-column.ts';

/** Types with the same text in DuckDB and Athena. */
const TEXT_ALIKE: readonly string[] = ['varchar', 'bigint', 'boolean', 'date'];

/** The config's groups, each with the column of players that it names by field or name; or why it groups nothing. */
function groupsOf({ groups = [], tables }: Schema) {
  const columns = tables['players']?.columns ?? [];
  return groups.map((name) => {
    const lower = name.toLowerCase();
    const column =
      columns.find((each) => each.name === lower) ??
      columns.find(({ paths }) => paths.some(({ path }) => path.join('.').toLowerCase() === lower));
    if (column === undefined) return { name, column, reason: 'no field has this name' };
    if (TEXT_ALIKE.includes(column.type)) return { name, column };
    return { name, column, reason: `it is ${column.type}, not varchar` };
  });
}

/** The config's groups that have a column of players, in the config's order. */
export function groupColumns(schema: Schema): readonly { readonly name: string; readonly column: string }[] {
  return groupsOf(schema).flatMap(({ name, column, reason }) =>
    column === undefined || reason !== undefined ? [] : [{ name, column: column.name }],
  );
}

/**
 * What the config says, as tables that views name and no lake has: CTEs for the SQL that names them. `config_groups`
 * and `config_groups_daily`: grain a player and a column that groups it; `config_hours`: grain a line of opening hours;
 * `config_zone`: one row, the zone with the clocks that cut days; `config_targets`: grain a value of a group.
 */
export function configTables(
  sql: string,
  { schema, database }: { readonly schema: Schema; readonly database: string },
): string[] {
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(sql);
  return [
    ...(isNamed('config_groups') ? [groupTable(schema, database, '')] : []),
    ...(isNamed('config_groups_daily') ? [groupTable(schema, database, '_daily')] : []),
    ...(isNamed('config_hours') ? [hoursTable(schema)] : []),
    ...(isNamed('config_zone') ? [zoneTable(schema)] : []),
    ...(isNamed('config_targets') ? [targetTable(schema)] : []),
  ];
}

function groupTable(schema: Schema, database: string, daily: '' | '_daily'): string {
  const date = daily === '' ? '' : 'export_date, ';
  const selects = groupsOf(schema).flatMap(({ column, reason }, index) => {
    if (column === undefined || reason !== undefined) return [];
    const value = column.provisional
      ? 'cast(null as varchar)'
      : `nullif(cast(${quoteIdentifier(column.name)} as varchar), '')`;
    return [
      `    select ${date}export_source, player_id, ${index + 1} as group_number, cast(${quoteLiteral(column.name)} as varchar) as group_by, ${value} as group_value\n    from "${database}".players${daily}`,
    ];
  });
  const none = `    select ${date}export_source, player_id, 0 as group_number, cast(null as varchar) as group_by, cast(null as varchar) as group_value\n    from "${database}".players${daily}\n    where false`;
  const body = selects.length > 0 ? selects.join('\n    union all\n') : none;
  return `  -- grain: a player and a column that groups it\n  config_groups${daily} as (\n${body}\n  ),\n`;
}

function hoursTable({ hours = [] }: Schema): string {
  const names = ['group_value', 'weekdays', 'opens', 'closes', 'zone', 'since', 'until'];
  const rows = hours.map(
    ({ group, weekdays, opens, closes, zone, since = '', until = '' }) =>
      `(${quoteLiteral(group)}, ${quoteLiteral(weekdays)}, ${opens}, ${closes}, ${quoteLiteral(zone)}, '${since}', '${until}')`,
  );
  const none = "('', '', 0, 0, 'UTC', '', '')";
  const body = `    select *\n    from (values ${rows.length > 0 ? rows.join(', ') : none}) as lines (${names.join(', ')})`;
  return `  -- grain: a line of opening hours\n  config_hours as (\n${body}${rows.length > 0 ? '' : '\n    where false'}\n  ),\n`;
}

function zoneTable({ timeZone = 'UTC' }: Schema): string {
  return `  -- grain: one row\n  config_zone as (\n    select cast(${quoteLiteral(timeZone)} as varchar) as zone\n  ),\n`;
}

/** The config's targets: the place of the group that each names, from 1, or its value alone. */
export function wantedTargets(schema: Schema) {
  const groups = groupsOf(schema).map(({ name, column }) =>
    [name, column?.name].map((each) => each?.toLowerCase()),
  );
  return Object.entries(schema.targets ?? {}).map(([text, target]) => {
    const [name = '', ...value] = text.split('=');
    const place = value.length === 0 ? -1 : groups.findIndex((names) => names.includes(name.toLowerCase()));
    return place < 0
      ? { text, value: text, target }
      : { text, number: place + 1, value: value.join('='), target };
  });
}

/**
 * A target names its group (`city=Hof`), or has a value alone: then it is of the first of the other groups with a
 * player of that value. The views that name this table name `config_groups_daily` too.
 */
function targetTable(schema: Schema): string {
  const numbers = groupsOf(schema).map((_, index) => index + 1);
  const wanted = wantedTargets(schema);
  const named = new Map<string, readonly [number: number, value: string, target: number]>();
  for (const { number, value, target } of wanted)
    if (number !== undefined) named.set(`${number}=${value}`, [number, value, target]);
  const row = (number: number, value: string, target: number) =>
    `(${number}, cast(${quoteLiteral(value)} as varchar), ${target}e0`;
  const rows = [
    ...[...named.values()].map((each) => `${row(...each)}, false)`),
    ...wanted.flatMap(({ number, value, target }) => {
      if (number !== undefined) return [];
      const others = numbers.filter((each) => !named.has(`${each}=${value}`));
      return value === '*' || numbers.length === 0
        ? [`${row(0, value, target)}, false)`]
        : others.map((each) => `${row(each, value, target)}, ${others.length > 1})`);
    }),
  ];
  const isOpen = rows.some((each) => each.endsWith('true)'));
  const lines = `(values ${rows.length > 0 ? rows.join(', ') : "(0, cast('' as varchar), 0e0, true)"}) as lines (group_number, group_value, target, is_alone)`;
  const body = isOpen
    ? `    select group_number, group_value, target
    from (
      select lines.*, row_number() over (partition by lines.is_alone, lines.group_value order by case when found.group_value is null then 1 else 0 end, lines.group_number) as place
      from ${lines}
      left join (select distinct group_number, group_value from config_groups_daily) as found
        on found.group_number = lines.group_number and found.group_value = lines.group_value
    ) as placed
    where place = 1 or not is_alone`
    : `    select group_number, group_value, target\n    from ${lines}\n    where not is_alone`;
  return `  -- grain: a value of a group\n  config_targets as (\n${body}\n  ),\n`;
}

/** What the config's groups and hours leave open, for the view that needs them. */
export function unsaidByConfig(sql: string, schema: Schema): readonly Unsaid[] {
  const grouped = /\bconfig_groups/.test(sql) && (schema.tables['players']?.columns.length ?? 0) > 0;
  const missing = grouped
    ? groupsOf(schema).flatMap(({ name, reason }) =>
        reason === undefined ? [] : [{ column: `players.${name}`, says: 'what is in each group', reason }],
      )
    : [];
  const noHours = /\bconfig_hours\b/.test(sql) && schema.hours.length === 0;
  const hours = noHours
    ? [
        {
          column: 'hours',
          says: 'which screens are off while their place is open',
          reason: 'the config has no opening hours',
        },
      ]
    : [];
  return [...missing, ...hours];
}
