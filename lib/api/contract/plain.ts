import { NO_PAGING, parsePaging } from '../../config/paging-style.ts';
import { counted } from '../../text.ts';
import { parseEnvelope } from '../records/items-path.ts';
import type { Contract } from './contract.ts';
import { VARIES } from './fact-texts.ts';

/** A contract in plain sentences: `The records are a list in data.` `One answer has all of them.` */
export function plainContract(contract: Contract): readonly string[] {
  const { total, facts = {}, wholeItems } = contract;
  const [varying, constant] = [true, false].map((varies) =>
    Object.keys(facts).filter((name) => (facts[name] === VARIES) === varies),
  );
  return [
    placeSentence(contract.envelope),
    ...pagesSentences(contract),
    ...(total === undefined ? [] : [`${total} says how many records there are.`]),
    ...factsSentence(constant, 'is always the same', 'are always the same'),
    ...factsSentence(varying, 'varies', 'vary'),
    ...(wholeItems === undefined ? [] : [`The last complete answer had ${counted(wholeItems, 'record')}.`]),
  ];
}

const FORMS: Readonly<Record<string, string>> = {
  map: 'The records are a map by key',
  record: 'The record is one object',
  rows: 'The records are rows with named columns',
  values: 'The records are a list of values',
};

function placeSentence(envelope: string): string {
  const place = parseEnvelope(envelope);
  if (place === null) return `The records are at ${envelope}.`;
  const where = place.path.length === 0 ? '' : ` in ${place.path.join('.')}`;
  return `${FORMS[place.form] ?? 'The records are a list'}${where}.`;
}

function pagesSentences({ paging, pageSize, firstPage }: Contract): readonly string[] {
  const { name, param, place } = parsePaging(paging) ?? NO_PAGING;
  const at = place === null ? '' : ` at ${place}`;
  const numbered = `Pages are requested with ${param}, from ${firstPage ?? (name === 'page' ? 1 : 0)} on.`;
  const says = {
    none: 'One answer has all records.',
    link: 'The Link header names the address of the next page.',
    next: `The answer names the address of the next page${at}.`,
    cursor: `The next page is requested with ${param}. Its value is in the answer${at}.`,
    range: `Further pages are requested with ${param}.`,
    page: numbered,
    offset: numbered,
  }[name];
  return [says, ...(pageSize === undefined ? [] : [`A page has ${counted(pageSize, 'record')}.`])];
}

function factsSentence(names: readonly string[] = [], one: string, many: string): readonly string[] {
  if (names.length === 0) return [];
  return [`Next to the records, ${names.join(', ')} ${names.length === 1 ? one : many}.`];
}
