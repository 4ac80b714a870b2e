import type { Body } from '../body/body.ts';
import { isListText, isObjectText } from '../body/json-parts.ts';
import type { Container } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';
import { type Envelope, renderEnvelope } from '../dialect.ts';
import { containerAt } from './member-at.ts';
import { isListOfObjects } from './record-texts.ts';

/** The JSON that the text at a place is; undefined where no text is there, or one that is no list or object. */
export function jsonTextAt(body: Body, { path, each }: Envelope): string | undefined {
  const value = path.reduce<unknown>(
    (at, name) => (isObject(at) ? Reflect.get(at, name) : undefined),
    whole(body),
  );
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!isListText(text) && !isObjectText(text)) return undefined;
  const inner = parsedOrUndefined(text);
  if (inner === undefined) return undefined;
  if (each === undefined) return text;
  // A list of the one value, of which each entry holds the records.
  return `[${text}]`;
}

function whole(body: Body): unknown {
  if (body.json !== undefined) return body.json;
  return parsedOrUndefined(textOf(body.read(0, body.bytes)));
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The texts of an answer that are JSON with records in it, as the setting `items` says them. */
export function jsonTexts(body: Body): readonly string[] {
  const found: string[] = [];
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      const inside = recordsInText(value.trim());
      if (inside !== undefined) {
        const each = inside === '' ? {} : { each: { path: [inside], form: 'array' as const } };
        found.push(renderEnvelope({ path, form: 'text', ...each }));
      }
    } else if (isObject(value) && !Array.isArray(value) && path.length < 3) {
      for (const [name, member] of Object.entries(value)) look(member, [...path, name]);
    }
  };
  const root = body.scan.container;
  if (body.scan.root === 'string' || root?.kind === 'object') look(whole(body), []);
  return found;
}

/** The member that holds a list of objects in a text that is JSON; empty where the text is the list, undefined where none is. */
function recordsInText(text: string): string | undefined {
  if (isListText(text))
    return parsedOrUndefined(text) !== undefined && isListOfObjects(text) ? '' : undefined;
  const inner = isObjectText(text) ? parsedOrUndefined(text) : undefined;
  if (!isObject(inner)) return undefined;
  const lists = Object.entries(inner).filter(([, value]) => Array.isArray(value) && value.every(isObject));
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

/** A list of lists, each as long as the first. */
export interface Rows {
  readonly container: Container;
  readonly length: number;
}

/** The names of the columns of rows: at that path, or the first row; undefined where they are no different names. */
export function columnNames(
  body: Body,
  { container, names }: { readonly container: Container; readonly names: readonly string[] },
): readonly string[] | undefined {
  if (names.length > 0) {
    const at = containerAt(body.scan.container, names);
    return at?.kind === 'array' ? namesIn(valuesOf(body, at)) : undefined;
  }
  const [first] = valuesOf(body, { ...container, cuts: container.cuts.slice(0, 1) });
  return Array.isArray(first) ? namesIn(first) : undefined;
}

/** The columns that a list of rows may have, as the setting `items` says them; none where nothing names them. */
export function rowsWithColumns(body: Body, container: Container): readonly string[] {
  const [first] = valuesOf(body, { ...container, cuts: container.cuts.slice(0, 1) });
  if (!Array.isArray(first)) return [];
  const lists = listsIn(body.scan.container).filter(
    (list) => list !== container && list.children === first.length,
  );
  const named = lists.filter((list) => namesIn(valuesOf(body, list)) !== undefined);
  const places = named.map(({ path }) => path);
  if (places.length === 0 && container.children > 1 && namesIn(first) !== undefined) places.push([]);
  return places.map((names) => renderEnvelope({ path: container.path, form: 'rows', names }));
}

function listsIn(container: Container | null): readonly Container[] {
  if (container === null) return [];
  if (container.kind === 'array') return [container];
  return container.members.flatMap(({ container: inner }) => listsIn(inner));
}

function valuesOf(body: Body, { first, cuts }: Container): readonly unknown[] {
  const end = cuts.at(-1)?.at;
  if (end === undefined) return [];
  const values = parsedOrUndefined(`[${textOf(body.read(first, end))}]`);
  return Array.isArray(values) ? values : [];
}

/** Names that are texts, or stand in objects: in the first member that has another text in each. */
function namesIn(values: readonly unknown[]): readonly string[] | undefined {
  if (values.length === 0) return undefined;
  const members = isObject(values[0]) ? Object.keys(values[0]) : [null];
  for (const member of members) {
    const names = values.map((value) =>
      member === null ? value : isObject(value) ? Reflect.get(value, member) : null,
    );
    const texts = names.filter((name): name is string => typeof name === 'string' && name !== '');
    if (texts.length === values.length && new Set(texts).size === texts.length) return texts;
  }
  return undefined;
}
