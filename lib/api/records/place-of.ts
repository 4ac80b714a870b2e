import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import { isListText, isObjectText, partsOf } from '../body/json-parts.ts';
import { parseExact } from '../body/parse.ts';
import type { Container } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';
import { type Envelope, renderEnvelope } from '../dialect.ts';
import { isUnlike, keysOfMap } from './keyed-map.ts';
import type { Place } from './place.ts';
import { isListOfObjects } from './record-texts.ts';
import type { Shape } from './shape.ts';

interface PlaceOptions {
  readonly body: Body;
  readonly resource: Resource;
  readonly container: Container;
  /** What most entries share. */
  readonly keys?: readonly string[] | undefined;
}

/** The shape of an answer whose records are there. */
export function shapeAt(envelope: Envelope, { body, resource, container, keys }: PlaceOptions): Shape {
  const shared = envelope.form === 'map' ? (keys ?? keysOfMap(container, body.read) ?? undefined) : keys;
  const rest = restOf(envelope, { body, container, keys: shared });
  const place: Place = {
    ...envelope,
    container,
    resource: resource.name,
    ...(envelope.form === 'map' && shared && { keys: shared }),
    ...(rest && { rest }),
  };
  return { envelope: renderEnvelope(envelope), place, ...(keys && { keys }) };
}

/** What stands in a container beside the records that it holds, by its name; undefined where there can be nothing. */
function restOf(
  { form, each }: Envelope,
  { body, container, keys }: Pick<PlaceOptions, 'body' | 'container' | 'keys'>,
): Readonly<Record<string, unknown>> | undefined {
  if (form === 'map' && each === undefined) return besideEntries(container, { body, keys });
  const isLevel = each?.form === 'array' && (form === 'array' || form === 'map');
  return isLevel ? besideLists(each, { body, container }) : undefined;
}

/** Of a map of records: what is no object, and what is unlike the others. Only its ends are looked at: see `recordTexts`. */
function besideEntries(
  { kind, first, cuts }: Container,
  { body, keys }: Pick<PlaceOptions, 'body' | 'keys'>,
): Readonly<Record<string, unknown>> | undefined {
  if (kind !== 'object') return undefined;
  const shared = new Set(keys ?? []);
  const ends = [
    [first, cuts[0]?.at],
    [cuts.at(-2)?.at, cuts.at(-1)?.at],
  ] as const;
  const rest: [string, unknown][] = [];
  for (const [from, to] of ends) {
    if (from === undefined || to === undefined) continue;
    for (const { key, text } of partsOf(`{${textOf(body.read(from, to))}}`)) {
      const value: unknown = parsed(text);
      const isOdd = !isObjectText(text) || isUnlike(Object.keys(Object(value)), shared);
      if (key !== null && isOdd) rest.push([String(parsed(key)), value]);
    }
  }
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Of entries that each hold, or are, a list of records: their other members. */
function besideLists(
  each: Envelope,
  { body, container }: Pick<PlaceOptions, 'body' | 'container'>,
): Readonly<Record<string, unknown>> | undefined {
  const rest: [string, unknown][] = [];
  let before = container.first;
  let number = 0;
  for (const { at } of container.cuts) {
    const text = textOf(body.read(before, at));
    before = at;
    for (const part of partsOf(container.kind === 'object' ? `{${text}}` : `[${text}]`)) {
      const name = part.key === null ? String(number++) : String(parsed(part.key));
      if (each.path.length === 0) {
        if (!isListOfObjects(part.text)) rest.push([name, parsed(part.text)]);
      } else if (!isObjectText(part.text)) rest.push([name, parsed(part.text)]);
      else rest.push([name, without(part.text, each.path)]);
    }
  }
  return Object.fromEntries(withoutNames(rest));
}

/** The entries without the texts that tell them apart, such as the region of a group: they say nothing about the listing. */
function withoutNames(
  rest: readonly (readonly [string, unknown])[],
): readonly (readonly [string, unknown])[] {
  const objects = rest.flatMap(([, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : [],
  );
  const [first] = objects;
  if (first === undefined || objects.length < 2) return rest;
  const names = new Set(
    Object.keys(first).filter((name) => {
      const values = objects.map((each) => Reflect.get(each, name) as unknown);
      return values.every((value) => typeof value === 'string') && new Set(values).size === values.length;
    }),
  );
  if (names.size === 0) return rest;
  const without = (value: object): object =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
  return rest.map(([key, value]) => [
    key,
    typeof value === 'object' && value !== null && !Array.isArray(value) ? without(value) : value,
  ]);
}

/** An object without the list that a path of names leads to. */
export function without(
  text: string,
  [name, ...below]: readonly string[],
): Readonly<Record<string, unknown>> {
  const kept: [string, unknown][] = [];
  for (const { key, text: value } of partsOf(text)) {
    const own = String(parsed(key ?? '""'));
    if (own !== name) kept.push([own, parsed(value)]);
    else if (below.length > 0 && isObjectText(value)) kept.push([own, without(value, below)]);
    else if (!isListText(value) && value !== 'null') kept.push([own, parsed(value)]);
  }
  return Object.fromEntries(kept);
}

/** What is no JSON is found when its records are taken apart. */
function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return null;
  }
}
