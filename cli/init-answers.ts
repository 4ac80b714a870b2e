import { faultsOfShape } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import type { Kind } from '#lib/sources/kind.ts';
import { KINDS, kindNamed, type SourceKind } from '#lib/sources/kinds.ts';
import { type RequiredSetting, requiredSettings } from '#lib/sources/required-settings.ts';
import { secretFault, secretPlaceOf } from '#lib/sources/secret-place.ts';
import { didYouMean, trimEnd } from '#lib/text.ts';
import type * as Terminal from './ask-terminal.ts';
import type { TextQuestion } from './ask-terminal.ts';
import { readStdin } from './named-files.ts';
import { flagOf } from './options.ts';

export type Answers = Awaited<ReturnType<typeof answersOf>>;

interface GivenAnswers
  extends Readonly<Partial<Record<'kind' | 'name' | 'url' | 'key', string | undefined>>> {
  readonly allowHttp: boolean;
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly taken: readonly string[];
}

/** The settings that some kind of source needs, each with its option: `accountId`, `--account-id`. */
export const REQUIRED: readonly (RequiredSetting & { readonly option: string })[] = [
  ...new Map(KINDS.flatMap(requiredSettings).map((setting) => [setting.name, setting])).values(),
].map((setting) => ({ ...setting, option: flagOf(setting.name) }));

/** Undefined without a terminal, where nobody answers. */
type Asking = typeof Terminal | undefined;

/** The answers from the options, or from a person. Throws UsageError for a wrong one before the next question. */
export async function answersOf(given: GivenAnswers) {
  const asking: Asking = process.stdin.isTTY ? await import('./ask-terminal.ts') : undefined;
  const answer = async (said: string | undefined, option: string, question: TextQuestion) => {
    const text = said ?? (await need(asking, option).askText(question));
    const says = question.fault(text);
    if (says !== undefined) throw new UsageError(`${option} ${says}.`);
    return text;
  };
  if (given.key !== undefined && given.key !== '-') refuseKey(given.key);
  const kind = givenKind(given.kind ?? (await need(asking, '--kind').askChoice('Which API?', NAMES)));
  const fault = (setting: string, value: unknown, others = {}) =>
    faultIn({ ...others, kind: kind.kind, [setting]: value }, setting);
  const address = await answer(given.url, '--url', {
    message: 'At which address is it?',
    example: 'https://signage.example.com:8443',
    // Whether http:// is accepted is a question of its own.
    fault: (text) => fault('baseUrl', addressParts(kind.kind, text, fault).baseUrl, { allowHttp: true }),
  });
  const { baseUrl: url, ...ofAddress } = addressParts(kind.kind, address, fault);
  const isPlain = fault('baseUrl', url) !== undefined;
  const risk = 'Over http:// anybody on the way reads the key.';
  const isRefused = async () =>
    (await asking?.askChoice(`${risk} Do you accept that?`, ['no', 'yes'])) !== 'yes';
  if (isPlain && !given.allowHttp && (await isRefused()))
    throw new UsageError(`--url is ${url}. ${risk} Write https://, or accept that with --allow-http.`);
  const settings: Record<string, unknown> = { ...ofAddress, ...(isPlain && { allowHttp: true }) };
  const own = requiredSettings(kind).map(({ name }) => name);
  for (const { name, due, option } of REQUIRED) {
    const said = given.settings[name];
    if (!own.includes(name) && said !== undefined)
      throw new UsageError(`${option}: a ${kind.kind} source has no setting ${name}: leave it out.`);
    if (!own.includes(name)) continue;
    // Some settings are numbers: then a text is none of their values.
    const read = (text: string) =>
      text !== '' && fault(name, text) !== undefined && fault(name, Number(text)) === undefined
        ? Number(text)
        : text;
    const text = await answer(said, option, {
      message: `What is its ${name}?`,
      example: (due.split('such as ')[1] ?? due).replaceAll('"', ''),
      fault: (text) => fault(name, read(text)),
    });
    settings[name] = read(text);
  }
  const isTaken = (name: string) => given.taken.includes(name);
  const names = [kind.kind, ...[2, 3, 4].map((at) => `${kind.kind}-${at}`)];
  const usual = names.find((name) => !isTaken(name)) ?? kind.kind;
  const name = await answer(given.name ?? (asking === undefined ? usual : undefined), '--name', {
    message: 'What shall it be called in the tables?',
    example: usual,
    initial: usual,
    fault: (text) => (isTaken(text) ? 'is the name of another source of the config' : fault('name', text)),
  });
  const key = await givenKey(given.key, Object.keys(kind.secret), asking);
  return { kind: kind.kind, name, url, settings, key };
}

/** The config check's complaint about this setting of a source; undefined if it takes its value. */
function faultIn(settings: Readonly<Record<string, unknown>>, setting: string): string | undefined {
  const source = { name: settings['kind'], baseUrl: 'https://signage.example.com', secret: 'env:KEY' };
  const faults = faultsOfShape({ name: 'signage', sources: [{ ...source, ...settings }] });
  return faults.find(({ field }) => field === `sources[0].${setting}`)?.says;
}

const NAMES: readonly string[] = KINDS.map(({ kind }) => kind);

function givenKind(given: string): (typeof KINDS)[number] {
  const found = KINDS.find(({ kind }) => kind === given);
  if (found !== undefined) return found;
  const cure = didYouMean(given, { known: NAMES, otherwise: `write ${NAMES.join(' or ')}` });
  throw new UsageError(`--kind ${JSON.stringify(given)} is no kind of API: ${cure}`);
}

function need(asking: Asking, option: string): typeof Terminal {
  if (asking !== undefined) return asking;
  throw new UsageError(`init cannot ask for ${option} without a terminal: give ${option} in the command.`);
}

/** Where the key is, or the key itself in its form. */
async function givenKey(given: string | undefined, forms: readonly string[], asking: Asking) {
  if (given === undefined) return await askedKey(need(asking, '--key'), forms, 'The');
  if (given !== '-') return { place: given };
  const value = await readStdin();
  if (value !== '') return { form: forms[0] ?? '', value };
  throw new UsageError('--key - reads the key from stdin, and there was none: pipe it into `init`.');
}

export async function askedKey(asking: typeof Terminal, forms: readonly string[], which: 'The' | 'Another') {
  const [first = ''] = forms;
  const form = forms.length > 1 ? await asking.askChoice('Which kind of key do you have?', forms) : first;
  return { form, value: await asking.askHidden(`${which} ${form} (it is not shown)`) };
}

/** Throws UsageError for a text that is no place of a key. It is never shown: it may be the key itself. */
function refuseKey(given: string): void {
  if (secretPlaceOf(given) !== undefined && secretFault(given) === undefined) return;
  throw new UsageError(
    '--key does not say where the key is: write env:NAME, file:PATH or exec:COMMAND, or write - and pipe the key to stdin. Others see a key in a command line, and histories keep it. If this was a key, rotate it.',
  );
}

/** The settings in a usual address, such as `https://host/API/v1.12/Players`; any other address stays as it is. */
function addressParts(
  kind: SourceKind,
  address: string,
  faultOf: (setting: string, value: unknown) => string | undefined,
): { readonly baseUrl: string } & Readonly<Record<string, unknown>> {
  if (!URL.canParse(address)) return { baseUrl: address };
  const { origin, pathname, search, hash, username } = new URL(address);
  const path = trimEnd(pathname, '/');
  if (path === '' || search !== '' || hash !== '' || username !== '') return { baseUrl: address };
  const { listings, defaults }: Kind = kindNamed(kind);
  const [found = { basePath: path, settings: {} }] = listings.flatMap((listing) => {
    const { basePath = '', id: _, ...settings } = partsOf(path, listing.path) ?? {};
    const isRight = Object.entries(settings).every((each) => faultOf(...each) === undefined);
    return Object.keys(settings).length > 0 && isRight ? [{ basePath, settings }] : [];
  });
  const isOwn = found.basePath === defaults.basePath;
  return { baseUrl: origin, ...(!isOwn && { basePath: found.basePath }), ...found.settings };
}

/** What the beginning of a listing's path has in place of `{name}`, behind a basePath; undefined for another path. */
function partsOf(path: string, listing: string): Readonly<Record<string, string>> | undefined {
  const named = listing.split('/').map((part) => part.replace(/\{(\w+)\}$/, '(?<$1>[^/]+)'));
  const [, first = '', ...others] = named;
  const rest = others.reduceRight((after, part) => `(/${part}${after})?`, '');
  return new RegExp(`^(?<basePath>.*?)/${first}${rest}$`, 'i').exec(path)?.groups;
}
