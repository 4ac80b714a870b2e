import type { Body } from '../body/body.ts';
import { isListText, isObjectText, partsOf } from '../body/json-parts.ts';
import type { Container } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';
import { isUnlike, jsonOf } from './entries.ts';
import type { Envelope } from './items-path.ts';
import { isListOfObjects } from './record-texts.ts';

type Members = Readonly<Record<string, unknown>>;

/** A map's entries that are not objects, or unlike its records. Reads only its ends: see `recordTexts`. */
export function besideEntries(
  { first, cuts }: Container,
  { body, keys }: { readonly body: Body; readonly keys: readonly string[] },
): { readonly rest?: Members } {
  const [begin, end] = cuts.slice(-2);
  const ends = [textBetween(body, { from: first, to: cuts[0]?.at })];
  if (end !== undefined) ends.push(textBetween(body, { from: begin?.at, to: end.at }));
  const rest = ends
    .flatMap((text) => [...partsOf(`{${text}}`)])
    .filter(({ text }) => !isObjectText(text) || isUnlike(Object(jsonOf(text)), keys));
  return rest.length === 0 ? {} : { rest: membersOf(rest) };
}

/** The members next to a list in an entry. Where several entries have lists, these members may identify the entries, so
 * they are left out. */
export function besideLists(
  { kind, first, cuts, children }: Container,
  { body, each }: { readonly body: Body; readonly each: Envelope },
): { readonly rest?: Members } {
  if (each.form !== 'array' || children === 0 || (each.path.length > 0 && children > 1)) return {};
  const text = textBetween(body, { from: first, to: cuts.at(-1)?.at });
  const parts = [...partsOf(kind === 'object' ? `{${text}}` : `[${text}]`)];
  if (each.path.length === 0) return { rest: membersOf(parts.filter((part) => !isListOfObjects(part.text))) };
  return { rest: { 0: without(parts[0]?.text ?? '', each.path) } };
}

/** An object without the list at this path of names. */
export function without(text: string, [name, ...below]: readonly string[]): Members {
  const parts = [...partsOf(text)];
  const own = parts.find(({ key }) => jsonOf(key ?? '') === name);
  const others = membersOf(parts.filter((part) => part !== own));
  if (own === undefined || name === undefined || isListText(own.text) || own.text === 'null') return others;
  return { ...others, [name]: below.length > 0 ? without(own.text, below) : jsonOf(own.text) };
}

function membersOf(parts: readonly { readonly key: string | null; readonly text: string }[]): Members {
  return Object.fromEntries(
    parts.map(({ key, text }, index) => [key === null ? index : jsonOf(key), jsonOf(text)]),
  );
}

function textBetween(
  body: Body,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): string {
  return from === undefined || to === undefined ? '' : textOf(body.read(from, to));
}
