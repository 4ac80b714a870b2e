import type { JsonKind, Member, Scan } from '../body/scan.ts';

/** JSend's, and what is near to them. */
const BAD_STATUSES = new Set(['error', 'fail', 'failed', 'failure']);
const GOOD_RESULTS = new Set(['success', 'ok', 'true']);

/** A member (lower case) of a body's root → whether its value says that the call failed. */
const SIGNS: Readonly<Record<string, (member: Member) => boolean>> = {
  result: (member) => member.kind === 'string' && !GOOD_RESULTS.has(wordOf(member)),
  haserror: isTrue,
  iserror: isTrue,
  success: (member) => member.text === 'false',
  ok: (member) => member.text === 'false',
  status: (member) => BAD_STATUSES.has(wordOf(member)),
  error: saysSomething,
  errors: saysSomething,
  exceptionmessage: saysSomething,
};

/**
 * The name of the root's member by which a body with status 200 says that it is an error (`result: "error"`,
 * `HasError: true`, an `error` that is not empty); null where there is none. A list of records is never one.
 */
export function errorInBody(scan: Scan): string | null {
  const root = scan.container;
  if (root === null || root.kind === 'array') return null;
  const found = root.members.find((member) => SIGNS[member.name.toLowerCase()]?.(member) ?? false);
  return found?.name ?? statusOfError(root.members);
}

/** `{"statusCode": 500, "message": …}`: a number of an HTTP error, with something to say beside it. */
function statusOfError(members: readonly Member[]): string | null {
  const hasMessage = members.some(
    (member) => /^(message|msg|detail)$/i.test(member.name) && saysSomething(member),
  );
  const found = members.find(
    (member) =>
      /^(status_?code|status|code|http_?status)$/i.test(member.name) &&
      /^"?[45]\d\d"?$/.test(member.text ?? ''),
  );
  return hasMessage ? (found?.name ?? null) : null;
}

function wordOf(member: Member): string {
  return (member.text ?? '').slice(1, -1).toLowerCase();
}

function isTrue(member: Member): boolean {
  return member.text === 'true' || wordOf(member) === 'true';
}

const EMPTY: Readonly<Record<JsonKind, (member: Member) => boolean>> = {
  null: () => true,
  boolean: (member) => member.text === 'false',
  number: (member) => Number(member.text) === 0,
  string: (member) => member.text === '""',
  array: (member) => member.container?.children === 0,
  object: (member) => member.container?.children === 0,
};

function saysSomething(member: Member): boolean {
  return !EMPTY[member.kind](member);
}
