import { COLUMNS, placeOf, WRAPPER } from './body-of-shape.ts';
import { idFieldOf } from './records-of-shape.ts';
import type { Shape } from './shape.ts';
import { ERROR_MEMBERS, headerName, IDLE_MEMBERS } from './words.ts';

export interface Answered {
  items?: string;
  paging?: string;
  ignore?: string[];
  complete?: boolean;
  id?: string;
}

/** `resources.players.paging` as an error or question writes it. */
const SETTING = /\b(?:resources\.\w+\.)?(items|paging|ignore|complete|id)\b(?=[ :"=])/g;

/**
 * Does what a question asks for, as somebody would who knows the API and nothing of the product: the settings after one
 * more answer; null where the question names nothing that is still to be said.
 */
export function answerQuestion(shape: Shape, message: string, before: Answered): Answered | null {
  const named = new Set([...message.matchAll(SETTING)].map(([, name]) => name));
  const silent = offeredAsSilent(message);
  if (silent !== undefined && before.items !== undefined)
    return { ...before, ignore: [...new Set([...(before.ignore ?? []), ...silent])] };
  const changed = offeredAsChanged(message)?.filter((name) => !before.ignore?.includes(name)) ?? [];
  if (changed.length > 0) return { ...before, ignore: [...(before.ignore ?? []), ...changed] };
  const idle = namedIdle(message, before);
  if (named.has('ignore') && idle !== undefined) {
    const also = named.has('paging') && before.paging === undefined && namesPaging(shape, message);
    const paging = also ? { paging: pagingOf(shape) } : {};
    return { ...before, ...paging, ignore: [...(before.ignore ?? []), idle] };
  }
  const isNumbered = shape.style === 'page' || shape.style === 'offset';
  const taken = isNumbered ? undefined : namedWord(shape, message, before);
  if (message.includes('API_ERROR') && taken !== undefined)
    return { ...before, ignore: [...(before.ignore ?? []), taken] };
  if (named.has('items') && before.items === undefined) return { ...before, items: itemsOf(shape) };
  if (named.has('id') && before.id === undefined) return { ...before, id: idFieldOf(shape) };
  if (shape.style === 'all' && named.has('complete') && before.complete === undefined)
    return { ...before, complete: true };
  const unknown = offeredAsUnknown(message)?.filter((name) => !before.ignore?.includes(name)) ?? [];
  if (unknown.length > 0 && (before.paging !== undefined || shape.style === 'all'))
    return { ...before, ignore: [...(before.ignore ?? []), ...unknown] };
  if (named.has('paging') && before.paging === undefined) return { ...before, paging: pagingOf(shape) };
  if (named.has('complete') && before.complete === undefined) return { ...before, complete: true };
  return null;
}

/** What is in an answer without records: nothing that a served member says has to do with them. */
function offeredAsSilent(message: string): readonly string[] | undefined {
  const [, names] = /ignore to (\[[^\]]*\]) if these members are no records/.exec(message) ?? [];
  return names === undefined ? undefined : JSON.parse(names);
}

/**
 * A fact that changed while the records became fewer. If the API has no more records, the operator says that it means
 * nothing.
 */
function offeredAsChanged(message: string): readonly string[] | undefined {
  const [, names] = /otherwise before.*ignore (?:to )?\[?(\["[^\]]*"\])/.exec(message) ?? [];
  return names === undefined ? undefined : JSON.parse(names);
}

/** What a strict source asks about, where the pages are known and nothing is missing. */
function offeredAsUnknown(message: string): readonly string[] | undefined {
  const [, names] = /nobody has explained.*?ignore (?:to )?\[?(\["[^\]]*"\])/.exec(message) ?? [];
  return names === undefined ? undefined : JSON.parse(names);
}

function namedIdle(message: string, before: Answered): string | undefined {
  const names = [
    ...IDLE_MEMBERS.map(({ name }) => name),
    ...ERROR_MEMBERS.flatMap((each) => Object.keys(each)),
  ];
  return names.find((name) => message.includes(`"${name}"`) && !before.ignore?.includes(name));
}

/** Whether a message names what is about pages too: then the style is said with what is idle. */
function namesPaging({ style, words, says }: Shape, message: string): boolean {
  const about = [...says, ...(style === 'next' || style === 'token' ? [style] : [])];
  return (
    style !== 'all' &&
    about.some((each) =>
      [words[each], headerName(words[each]).toLowerCase()].some((name) => message.includes(`"${name}"`)),
    )
  );
}

/** The word for further pages where it was taken for a failure, as the message has it. */
function namedWord(shape: Shape, message: string, before: Answered): string | undefined {
  const { more } = shape.words;
  return [more, headerName(more).toLowerCase()].find(
    (name) => message.includes(name) && !before.ignore?.includes(name),
  );
}

export function itemsOf({ wrapping, path }: Shape): string {
  const where = path.join('.');
  if (wrapping === 'map' || wrapping === 'map-in-member') return `${where}{}`;
  if (wrapping === 'wrapped') return `${where}[].${WRAPPER}{1}`;
  if (wrapping === 'level') return `${where}[].${WRAPPER}`;
  if (wrapping === 'rows') return `${where}[${[...path.slice(0, -1), COLUMNS].join('.')}]`;
  return where === '' ? '$' : where;
}

export function pagingOf(shape: Shape): string {
  switch (shape.style) {
    case 'all':
      return 'none';
    case 'link':
      return 'link';
    case 'next':
      return `next@${placeOf(shape, 'next')}`;
    case 'token':
      return `cursor:${shape.param}@${placeOf(shape, 'token')}`;
    case 'page':
      return `page:${shape.param}=${shape.firstPage}`;
    case 'offset':
      return `offset:${shape.param}`;
  }
}
