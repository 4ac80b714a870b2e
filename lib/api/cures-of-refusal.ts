import type { Cure } from '../sources/question.ts';
import { nameOf, type Said } from './beside/beside.ts';
import { isCut } from './beside/page-roles.ts';
import { wordsOf } from './beside/words.ts';
import type { Refusal } from './reply.ts';

/** The settings with which an answer that was refused would be right; none where only the server can help. */
export function curesOfRefusal(
  { code }: Pick<Refusal, 'code'>,
  { resource, fault }: { readonly resource: string; readonly fault: Said | null },
): readonly Cure[] {
  if (code === 'API_ERROR' && fault !== null) return curesOfFault(fault, resource);
  return code === 'BODY_EMPTY' ? curesOfEmpty(resource) : [];
}

/** For a failure that the answer itself tells: the member may tell none. */
function curesOfFault(fault: Said, resource: string): readonly Cure[] {
  const ignored: Cure = {
    setting: `resources.${resource}.ignore`,
    choices: [[nameOf(fault)]],
    when: 'it tells no failure',
  };
  if (!isCut(wordsOf(fault.path.at(-1) ?? ''))) return [ignored];
  const paged: Cure = {
    setting: `resources.${resource}.paging`,
    choices: [],
    open: 'the style of the listing',
    when: 'it says that there are further pages',
  };
  return [ignored, paged];
}

/** An answer of no line is right where each line is a record. */
function curesOfEmpty(resource: string): readonly Cure[] {
  return [
    {
      setting: `resources.${resource}.items`,
      choices: ['$lines'],
      when: 'each line of an answer is a record, so that no byte means no record',
    },
  ];
}
