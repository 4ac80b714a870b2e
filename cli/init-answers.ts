import { faultsOfShape } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { KINDS, type SourceKind } from '#lib/sources/kinds.ts';
import { type RequiredSetting, requiredSettings } from '#lib/sources/required-settings.ts';
import { secretFault, secretPlaceOf } from '#lib/sources/secret-place.ts';
import { didYouMean } from '#lib/text.ts';
import { addressParts } from './address-parts.ts';
import type { Asking } from './ask-terminal.ts';
import { readStdin } from './read-stdin.ts';

/** What `init` must know. */
export interface Answers {
  readonly kind: SourceKind;
  readonly name: string;
  readonly url: string;
  /** What else its kind needs, as the config has it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where the key is, or the key itself in its form. */
  readonly key: { readonly place: string } | { readonly form: string; readonly value: string };
}

/** The options of the command. */
interface GivenAnswers {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  /** True: a key may travel over http://. */
  readonly allowHttp?: boolean | undefined;
  /** By the names of required settings. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly key?: string | undefined;
  /** The names of the config's other sources. */
  readonly taken: readonly string[];
}

/** The settings that some kind of source needs, each with its option: `accountId`, `--account-id`. */
export const REQUIRED: readonly (RequiredSetting & { readonly option: string })[] = [
  ...new Map(KINDS.flatMap(requiredSettings).map((setting) => [setting.name, setting])).values(),
].map((setting) => ({
  ...setting,
  option: `--${setting.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
}));

/**
 * The answers from the options. A person at the terminal answers the others. A wrong answer is refused before
 * the next question. Throws UsageError.
 */
export async function answersOf(given: GivenAnswers): Promise<Answers> {
  const asking = process.stdin.isTTY ? (await import('./ask-terminal.ts')).askTerminal() : undefined;
  const key = given.key === undefined || given.key === '-' ? given.key : placeOf(given.key);
  const kind = kindOf(given.kind ?? (await need(asking, '--kind').select('Which API?', names())));
  const faultOf = (setting: string) => (value: string) => faultIn(kind.kind, setting, value);
  const partsOf = (address: string) =>
    addressParts(kind.kind, address, (setting, value) => faultIn(kind.kind, setting, value));
  // Whether http:// is accepted is a question of its own.
  const fault = (address: string) =>
    faultIn(kind.kind, 'baseUrl', partsOf(address).baseUrl, { allowHttp: true });
  const address = judged(
    given.url ??
      (await need(asking, '--url').text('At which address is it?', {
        example: 'https://signage.example.com:8443',
        fault,
      })),
    { option: '--url', fault },
  );
  const { baseUrl: url, ...ofAddress } = partsOf(address);
  const isPlain = faultOf('baseUrl')(url) !== undefined;
  if (isPlain && given.allowHttp !== true) await acceptHttp(url, asking);
  const settings = {
    ...ofAddress,
    ...(isPlain && { allowHttp: true }),
    ...(await settingsOf(given.settings, kind, asking)),
  };
  const isTaken = (name: string) => given.taken.includes(name);
  const nameFault = (name: string) =>
    isTaken(name) ? 'is the name of another source of the config' : faultOf('name')(name);
  const free = [kind.kind, ...[2, 3, 4].map((at) => `${kind.kind}-${at}`)].find((name) => !isTaken(name));
  const usual = free ?? kind.kind;
  const name = judged(
    given.name ??
      (await asking?.text('What shall it be called in the tables?', {
        example: usual,
        initial: usual,
        fault: nameFault,
      })) ??
      usual,
    { option: '--name', fault: nameFault },
  );
  return { kind: kind.kind, name, url, settings, key: await keyOf(key, kind, asking) };
}

/** Throws UsageError unless the person accepts that the key travels unencrypted. */
async function acceptHttp(url: string, asking: Asking | undefined): Promise<void> {
  const risk = 'Over http:// anybody on the way reads the key.';
  if ((await asking?.select(`${risk} Do you accept that?`, ['no', 'yes'])) === 'yes') return;
  throw new UsageError(`--url is ${url}. ${risk} Write https://, or accept that with --allow-http.`);
}

/** What a kind needs, from its options or from the person. */
async function settingsOf(
  given: GivenAnswers['settings'],
  kind: (typeof KINDS)[number],
  asking: Asking | undefined,
): Promise<Answers['settings']> {
  const own = requiredSettings(kind).map(({ name }) => name);
  const settings: Record<string, unknown> = {};
  for (const { name, due, option } of REQUIRED) {
    const said = given[name];
    if (!own.includes(name)) {
      if (said !== undefined)
        throw new UsageError(`${option}: a ${kind.kind} source has no setting ${name}: leave it out.`);
      continue;
    }
    const fault = (value: string) => faultIn(kind.kind, name, asSetting(value, { kind: kind.kind, name }));
    const example = (due.split('such as ')[1] ?? due).replaceAll('"', '');
    const question = `What is its ${name}?`;
    const text = said ?? (await need(asking, option).text(question, { example, fault }));
    settings[name] = asSetting(judged(text, { option, fault }), { kind: kind.kind, name });
  }
  return settings;
}

/** The answer as a number, if the setting takes it as a number and not as a text. */
function asSetting(
  text: string,
  { kind, name }: { readonly kind: SourceKind; readonly name: string },
): unknown {
  const isText = faultIn(kind, name, text) === undefined;
  return !isText && text !== '' && faultIn(kind, name, Number(text)) === undefined ? Number(text) : text;
}

/** The config check's complaint about this value of a source's setting; undefined if it takes the value. */
function faultIn(
  kind: SourceKind,
  setting: string,
  value: unknown,
  others: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const source = { name: kind, kind, baseUrl: 'https://signage.example.com', secret: 'env:KEY' };
  const faults = faultsOfShape({ name: 'signage', sources: [{ ...source, ...others, [setting]: value }] });
  return faults.find(({ field }) => field === `sources[0].${setting}`)?.says;
}

/** The answer. Throws UsageError, which names the option, if the answer is wrong. */
function judged(
  answer: string,
  { option, fault }: { readonly option: string; readonly fault: (value: string) => string | undefined },
): string {
  const says = fault(answer);
  if (says === undefined) return answer;
  throw new UsageError(`${option} ${says}.`);
}

function names(): readonly string[] {
  return KINDS.map(({ kind }) => kind);
}

function kindOf(given: string): (typeof KINDS)[number] {
  const found = KINDS.find(({ kind }) => kind === given);
  if (found !== undefined) return found;
  const cure = didYouMean(given, { known: names(), otherwise: `write ${names().join(' or ')}` });
  throw new UsageError(`--kind ${JSON.stringify(given)} is no kind of API: ${cure}`);
}

function need(asking: Asking | undefined, option: string): Asking {
  if (asking !== undefined) return asking;
  throw new UsageError(`init cannot ask for ${option} without a terminal: give ${option} in the command.`);
}

async function keyOf(
  given: string | undefined,
  kind: (typeof KINDS)[number],
  asking: Asking | undefined,
): Promise<Answers['key']> {
  const forms = Object.keys(kind.secret);
  const [first = ''] = forms;
  if (given === '-') return { form: first, value: await keyInStdin() };
  if (given !== undefined) return { place: given };
  return await askedKey(need(asking, '--key'), forms, 'The');
}

/** A key that a person types, and its form. */
export async function askedKey(
  asking: Asking,
  forms: readonly string[],
  which: 'The' | 'Another',
): Promise<{ readonly form: string; readonly value: string }> {
  const [first = ''] = forms;
  const form = forms.length > 1 ? await asking.select('Which kind of key do you have?', forms) : first;
  return { form, value: await asking.hidden(`${which} ${form} (it is not shown)`) };
}

/** The text is never shown: somebody may have written the key itself. */
function placeOf(given: string): string {
  if (secretPlaceOf(given) !== undefined && secretFault(given) === undefined) return given;
  throw new UsageError(
    '--key does not say where the key is: write env:NAME, file:PATH or exec:COMMAND, or write - and pipe the key to stdin. Others see a key in a command line, and histories keep it. If this was a key, rotate it.',
  );
}

async function keyInStdin(): Promise<string> {
  const text = await readStdin();
  if (text !== '') return text;
  throw new UsageError('--key - reads the key from stdin, and there was none: pipe it into `init`.');
}
