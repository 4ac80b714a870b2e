import type { Body } from '../body/body.ts';
import { isListText, isObjectText, textOf } from '../body/parse.ts';
import type { Container } from '../body/scan.ts';
import { isObject, jsonOf, valuesOf } from './entries.ts';
import { containerAt, type Envelope, renderEnvelope } from './items-path.ts';

/** The JSON in the text at a place, as a list of entries; undefined unless it is JSON with records. */
export function jsonTextAt(body: Body, { path, each }: Envelope): string | undefined {
  const value = path.reduce<unknown>((at, name) => Object(at)[name], wholeOf(body));
  const text = typeof value === 'string' ? value.trim() : '';
  if (jsonOf(text) === undefined || !(isListText(text) || (each && isObjectText(text)))) return undefined;
  // A list with one value; each entry holds the records.
  return each === undefined ? text : `[${text}]`;
}

/** The texts of an answer that are JSON with records, as the setting `items` says them. */
export function jsonTexts(body: Body): readonly string[] {
  const look = (value: unknown, path: readonly string[]): readonly string[] => {
    if (isObject(value) && path.length < 3)
      return Object.entries(value).flatMap(([name, member]) => look(member, [...path, name]));
    const json = typeof value === 'string' && /^\s*[[{]/.test(value) ? jsonOf(value) : undefined;
    const isList = (list: unknown): boolean => Array.isArray(list) && list.every(isObject);
    if (isList(json)) return [renderEnvelope({ path, form: 'text' })];
    const [[name] = [], ...others] = Object.entries(Object(json)).filter(([, list]) => isList(list));
    if (name === undefined || others.length > 0) return [];
    return [renderEnvelope({ path, form: 'text', each: { path: [name], form: 'array' } })];
  };
  return body.scan.container?.kind === 'array' ? [] : look(wholeOf(body), []);
}

function wholeOf(body: Body): unknown {
  return body.json ?? jsonOf(textOf(body.read(0, body.bytes)));
}

/** The column names of rows, at that path or in the first row; undefined unless they are different names. */
export function columnNames(
  body: Body,
  { container, names }: { readonly container: Container; readonly names: readonly string[] },
): readonly string[] | undefined {
  if (names.length === 0) return namesIn(valuesOf(container, body)[0]);
  const at = containerAt(body.scan.container, names);
  return at?.kind === 'array' ? namesIn(valuesOf(at, body)) : undefined;
}

/** The possible columns of a list of rows, as the setting `items` says them; empty without names. */
export function rowsWithColumns(body: Body, container: Container): readonly string[] {
  const [first] = valuesOf(container, body);
  const length = Array.isArray(first) ? first.length : 0;
  const lists = listsBelow(body.scan.container).filter(
    (list) => list !== container && list.children === length && namesIn(valuesOf(list, body)),
  );
  const places = lists.map(({ path }) => path);
  if (places.length === 0 && container.children > 1 && namesIn(first)) places.push([]);
  return places.map((names) => renderEnvelope({ path: container.path, form: 'rows', names }));
}

/** Lists of lists in an answer. */
export function rowsIn(root: Container): readonly Container[] {
  return listsBelow(root).filter(({ arrays, children }) => arrays > 0 && arrays === children);
}

function listsBelow(container: Container | null): readonly Container[] {
  if (container === null || container.kind === 'array') return container === null ? [] : [container];
  return container.members.flatMap((member) => listsBelow(member.container));
}

/** Names that are texts, or texts in objects: the first member that has another text in each. */
function namesIn(values: unknown): readonly string[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const lists = isObject(values[0])
    ? Object.keys(values[0]).map((member) => values.map((value): unknown => Object(value)[member]))
    : [values];
  return lists.find((names): names is string[] => {
    const isTexts = names.every((name) => typeof name === 'string' && name !== '');
    return isTexts && names.length > 0 && new Set(names).size === names.length;
  });
}
