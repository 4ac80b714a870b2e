import type { Question } from '#lib/sources/question.ts';
import { COLUMNS, placeOf, WRAPPER } from './body-of-shape.ts';
import { idFieldOf } from './records-of-shape.ts';
import type { Shape } from './shape.ts';
import { headerName } from './words.ts';

export interface Answered {
  items?: string;
  paging?: string;
  ignore?: string[];
  complete?: boolean;
  id?: string;
}

/**
 * Does what a question asks for, as somebody would who knows the API and nothing of the product: the settings after one
 * more answer; null where the question names nothing that is still to be said.
 */
export function answerQuestion(
  shape: Shape,
  { code, cures }: Pick<Question, 'code' | 'cures'>,
  before: Answered,
): Answered | null {
  const offers = (name: keyof Answered) =>
    before[name] === undefined && cures.some(({ setting }) => setting.endsWith(`.${name}`));
  const named = cures.flatMap(({ setting, choices }) =>
    setting.endsWith('.ignore') ? choices.flat().map(String) : [],
  );
  const isPaged = shape.style !== 'all' && offers('paging');
  const paging = isPaged ? { paging: pagingOf(shape) } : {};
  // A word for pages that is taken for a failure is none.
  const isIdle = (name: string) => code === 'API_ERROR' || !isAboutPages(shape, name);
  const idle = named.filter((name) => isIdle(name) && !before.ignore?.includes(name));
  if (offers('items')) return { ...before, items: itemsOf(shape) };
  if (offers('id')) return { ...before, id: idFieldOf(shape) };
  const ignore = [...(before.ignore ?? []), ...idle];
  if (idle.length > 0) return { ...before, ...(idle.length < named.length && paging), ignore };
  if (isPaged) return { ...before, ...paging };
  return offers('complete') ? { ...before, complete: true } : null;
}

/** Whether the last name of a path is a word for pages of this API. */
function isAboutPages({ style, words, says }: Shape, name: string): boolean {
  const about = [...says, ...(style === 'next' || style === 'token' ? [style] : [])];
  const own = name.split('.').at(-1) ?? '';
  return (
    style !== 'all' &&
    about.some((each) => [words[each], headerName(words[each]).toLowerCase()].includes(own))
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
