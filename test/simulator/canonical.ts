import type { Json, JsonObject } from '#simulator/json.ts';
import type { FieldKind, Fields } from '#simulator/profiles/fields.ts';

/** A record without its dialect: snake_case paths, times as ms, values of their kind; what is absent or empty is left out. */
export function canonical(
  record: JsonObject,
  fields: Fields,
  idText: (id: Json) => string,
): Record<string, Json> {
  const kinds = new Map(Object.entries(fields).map(([key, kind]) => [snake(key), kind]));
  const out: Record<string, Json> = {};
  for (const [key, value] of Object.entries(record)) {
    const name = snake(key);
    const kind = kinds.get(name) ?? 'id';
    if (value === null || value === '' || isNever(value)) continue;
    if (typeof kind === 'object') {
      for (const [below, inner] of Object.entries(canonical(value as JsonObject, kind, idText))) {
        out[`${name}_${below}`] = inner;
      }
    } else out[kind === 'id' ? 'id' : name] = valueIn(kind, value, idText);
  }
  return out;
}

function valueIn(kind: Exclude<FieldKind, Fields>, value: Json, idText: (id: Json) => string): Json {
  switch (kind) {
    case 'id':
    case 'parent':
      return idText(value);
    case 'time':
      return instant(value);
    case 'boolean':
      return [true, 1, 'true', 'True'].includes(value as never);
    case 'integer':
    case 'decimal':
      return Number(value);
    default:
      return value;
  }
}

function snake(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function isNever(value: Json): boolean {
  return typeof value === 'string' && /^0001-01-01|^01\.01\.0001|-62135596800000|Jan 0001/.test(value);
}

function instant(value: Json): number {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  const text = String(value);
  const dotnet = /^\/Date\((-?\d+)/.exec(text)?.[1];
  if (dotnet !== undefined) return Number(dotnet);
  const german = /^(\d\d)\.(\d\d)\.(\d{4}) (.*)$/.exec(text);
  const iso = german === null ? text : `${german[3]}-${german[2]}-${german[1]} ${german[4]}`;
  return /^\d{4}-\d\d-\d\d[T ][\d:]{8}$/.test(iso) ? fromBerlin(iso.replace('T', ' ')) : Date.parse(iso);
}

const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
});

function fromBerlin(text: string): number {
  const asUtc = Date.parse(`${text.replace(' ', 'T')}Z`);
  const candidates = [asUtc - 3_600_000, asUtc - 7_200_000].filter((ms) => CLOCK.format(ms) === text);
  if (candidates.length !== 1) throw new Error(`${text} is no or no single instant in Berlin`);
  return candidates[0] ?? 0;
}
