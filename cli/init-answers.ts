import { UsageError } from '#lib/errors.ts';
import { nearest } from '#lib/nearest.ts';
import { KINDS, type SourceKind } from '#lib/sources/kinds.ts';
import { secretFault, secretPlaceOf } from '#lib/sources/secret-place.ts';
import type { Asking } from './ask-terminal.ts';

/** What `init` has to know. */
export interface Answers {
  readonly kind: SourceKind;
  readonly name: string;
  readonly url: string;
  /** Undefined for a kind without accounts. */
  readonly account: string | undefined;
  /** Where the key is, or the key itself in its form. */
  readonly key: { readonly place: string } | { readonly form: string; readonly value: string };
}

/** What was given as options. */
interface GivenAnswers {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly account?: string | undefined;
  readonly key?: string | undefined;
}

/** The answers of the options, and for what they leave out of whoever sits at the terminal. Throws UsageError. */
export async function answersOf(given: GivenAnswers): Promise<Answers> {
  const asking = process.stdin.isTTY ? (await import('./ask-terminal.ts')).terminal : undefined;
  const kind = kindOf(given.kind ?? (await need(asking, '--kind').select('Which API?', names())));
  const url =
    given.url ??
    (await need(asking, '--url').text('At which address is it?', {
      example: 'https://signage.example.com:8443',
    }));
  const hasAccount = 'accountId' in kind.settings;
  if (!hasAccount && given.account !== undefined)
    throw new UsageError(`--account is for a kind with accounts; a ${kind.kind} API has none: leave it out.`);
  const account = hasAccount
    ? (given.account ?? (await need(asking, '--account').text('Which account?', { example: '1042' })))
    : undefined;
  const name =
    given.name ??
    (await asking?.text('What shall it be called in the tables?', {
      example: kind.kind,
      initial: kind.kind,
    })) ??
    kind.kind;
  return { kind: kind.kind, name, url, account, key: await keyOf(given.key, kind, asking) };
}

function names(): readonly string[] {
  return KINDS.map(({ kind }) => kind);
}

function kindOf(given: string): (typeof KINDS)[number] {
  const found = KINDS.find(({ kind }) => kind === given);
  if (found !== undefined) return found;
  const meant = nearest(given, names());
  const cure = meant === undefined ? `write ${names().join(' or ')}` : `did you mean ${meant}`;
  throw new UsageError(`--kind ${JSON.stringify(given)} is no kind of API: ${cure}.`);
}

function need(asking: Asking | undefined, option: string): Asking {
  if (asking !== undefined) return asking;
  throw new UsageError(`init needs ${option} where no terminal can be asked.`);
}

async function keyOf(
  given: string | undefined,
  kind: (typeof KINDS)[number],
  asking: Asking | undefined,
): Promise<Answers['key']> {
  const forms = Object.keys(kind.secret);
  const [first = ''] = forms;
  if (given === '-') return { form: first, value: await readStdin() };
  if (given !== undefined) return { place: placeOf(given) };
  const form = forms.length > 1 ? await need(asking, '--key').select('What is its key?', forms) : first;
  return { form, value: await need(asking, '--key').hidden(`The ${form} (it is not shown)`) };
}

/** The text is never said: somebody may have written the key itself. */
function placeOf(given: string): string {
  if (secretPlaceOf(given) !== undefined && secretFault(given) === undefined) return given;
  throw new UsageError(
    '--key is no place of a key: write env:NAME, file:PATH, exec:COMMAND, or - and give the key to stdin. A key in a command line is seen by others and kept in histories: if this was one, rotate it.',
  );
}

async function readStdin(): Promise<string> {
  const text = Buffer.concat(await process.stdin.toArray())
    .toString('utf8')
    .trim();
  if (text !== '') return text;
  throw new UsageError('--key - reads the key from stdin, and there was none: `… | signage-export init …`.');
}
