/** The ways in which dialects differ. `native` is the way of the profile reference. */
export const AXES = {
  envelope: [
    'bare',
    'value',
    'items',
    'Items',
    'data',
    'results',
    'rows',
    'result-data',
    'd-results',
    'resource-named',
    'keyed-map',
  ],
  id: ['native', 'text', 'resource-named', 'guid', 'guid-named', 'ulid-key', 'encoded'],
  keys: ['native', 'camel', 'snake', 'pascal', 'kebab'],
  absent: ['native', 'omitted', 'null', 'empty', 'sentinel'],
  dates: ['native', 'offset', 'fraction', 'dotnet', 'unix', 'unix-ms', 'rfc1123', 'local', 'sql', 'german'],
  booleans: ['native', 'text', 'capital', 'number'],
  numbers: ['native', 'float', 'exponent', 'text'],
  paging: [
    'none',
    'page',
    'page-if-asked',
    'page-size',
    'limit-skip',
    'offset',
    'cursor',
    'marker',
    'next',
    'odata',
    'link-header',
  ],
} as const;

type AxisName = keyof typeof AXES;
export type AxisValue<Name extends AxisName> = (typeof AXES)[Name][number];

/** One value of each axis. */
export type Axes = { readonly [Name in AxisName]: AxisValue<Name> };

/** False if the body is a bare list and the paging needs members next to the records. */
export function fitTogether(axes: Partial<Axes>): boolean {
  const { envelope, paging } = axes;
  const noRoom = envelope === 'bare' || envelope === 'keyed-map';
  return !(noRoom && paging !== undefined && paging !== 'none' && paging !== 'link-header');
}
