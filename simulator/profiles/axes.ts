/** The ways in which dialects differ. `native` is the way of the profile reference. */
export const AXES = {
  envelope: [
    'bare',
    'value',
    'items',
    'Items',
    'data',
    'results',
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
