import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { Command } from 'commander';
import { vi } from 'vitest';
import { addCheck } from '#cli/check.ts';
import { COMMANDS } from '#cli/commands.ts';
import { createProgram } from '#cli/program.ts';
import { sayFailure } from '#cli/say-failure.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { Simulator } from '#simulator/server.ts';
import { listening } from '../api/support/serve.ts';
import { LAB_MASK_KEY } from '../support/fixture-lab.ts';

/** Runs one command in this process as the command line would, errors thrown. */
export async function cli(add: (command: Command) => void, ...args: readonly string[]): Promise<void> {
  const program = new Command()
    .option('--config <file>', '', 'export.config.json')
    .option('--lake <place>', '', './lake')
    .option('--secrets <file>')
    .option('--json')
    .exitOverride();
  add(program.command(args[0] ?? ''));
  await program.parseAsync(args, { from: 'user' });
}

/** `schema apply`; the program's own name for the program itself. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** The program with all its commands, which do nothing but note that they were called. */
export async function allCommands(called: string[]) {
  const program = createProgram('0.0.0');
  for (const { name, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    (await load())(command);
  }
  const leavesOf = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
  const leaves = program.commands.flatMap(leavesOf);
  for (const command of leaves) command.action(() => void called.push(pathOf(command)));
  return { program, leaves };
}

/** The words of a line as a shell has them; where its output goes is not part of them. */
export function wordsOf(line: string): readonly string[] {
  const [own = ''] = line.split(/ [<>|] /);
  return [...own.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

/** Runs a command line in this process. cli/main.ts would need one of its own, which takes half a second more. */
export async function cliHere(...args: readonly string[]) {
  const version = '0.0.0';
  const program = createProgram(version);
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    }),
  );
  try {
    for (const { name, description, load } of COMMANDS) {
      const command = program.command(name).description(description);
      if (name === args[0]) (await load())(command);
    }
    await program.parseAsync(args, { from: 'user' });
    return { status: Number(process.exitCode ?? 0), ...said };
  } catch (error) {
    const status = await sayFailure(error, { json: program.opts()['json'] === true, version });
    return { status, ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = undefined;
  }
}

/** Runs a command line in a process of its own. */
export function cliProcess(...args: readonly string[]) {
  return cliProcessOf([], ...args);
}

/** The same, by a Node with options of its own. */
export function cliProcessOf(node: readonly string[], ...args: readonly string[]) {
  return ended([...node, 'cli/main.ts', ...args], process.env);
}

/** The same as it is installed: with what comes before the command line is read, in an environment with those variables. */
export function programProcess(variables: NodeJS.ProcessEnv, ...args: readonly string[]) {
  return ended(['cli/bin.ts', ...args], { ...process.env, ...variables });
}

/** A process that hangs has no status. */
const MOST_MS = 120_000;

function ended(args: readonly string[], env: NodeJS.ProcessEnv) {
  const settings = { encoding: 'utf8', timeout: MOST_MS, env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, settings);
  return { status, stdout, stderr };
}

/** Whether there is a program that gives a command a terminal of its own. */
export const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

/** Runs a command line on a terminal of that width, with keys that are typed; what it says holds both streams. */
export function onTerminal(
  words: readonly string[],
  { columns = 80, input = '', environment = {} }: TerminalOptions = {},
) {
  const env = terminalEnvironment(environment);
  const settings = { encoding: 'utf8', timeout: MOST_MS, input, env } as const;
  const { status, stdout } = spawnSync('script', scriptWords(words, columns), settings);
  return { status, said: stdout.replaceAll('\r\n', '\n') };
}

/** The same, with keys that are typed once a text is there: a key that comes before its question is read otherwise. */
export async function typedOnTerminal(
  words: readonly string[],
  typed: readonly (readonly [seen: string, keys: string])[],
  { columns = 80 }: Pick<TerminalOptions, 'columns'> = {},
): Promise<{ readonly status: number | null; readonly said: string }> {
  const child = spawn('script', scriptWords(words, columns), { env: terminalEnvironment({}) });
  const left = [...typed];
  let said = '';
  // A text that comes twice is waited for twice.
  let seenTo = 0;
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
    const [next] = left;
    const at = next === undefined ? -1 : said.indexOf(next[0], seenTo);
    if (next === undefined || at < 0) return;
    seenTo = at + next[0].length;
    left.shift();
    child.stdin.write(next[1]);
  });
  const hung = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  const [status] = await once(child, 'close');
  clearTimeout(hung);
  return { status, said: said.replaceAll('\r\n', '\n') };
}

function scriptWords(words: readonly string[], columns: number): readonly string[] {
  const quoted = [process.execPath, 'cli/main.ts', ...words].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return ['-qec', `stty cols ${columns} rows 40; exec ${quoted.join(' ')}`, '/dev/null'];
}

/** What the caller's environment says of colours, pagers and CI is not part of the case. */
function terminalEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, TERM: 'xterm', ...environment };
}

interface TerminalOptions {
  readonly columns?: number;
  readonly input?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** What a command of this process writes to stdout; the exit code is left alone. */
export async function saidBy(add: (command: Command) => void, ...args: readonly string[]): Promise<string> {
  const said: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  try {
    await cli(add, ...args);
  } finally {
    spy.mockRestore();
    process.exitCode = undefined;
  }
  return said.join('');
}

/** AWS as it answers every call, by this listener, to this process. @see vi.unstubAllEnvs, which ends the latter */
export async function answeringAws(listener: RequestListener): Promise<AsyncDisposable> {
  const { port, ...ends } = await listening(createServer(listener));
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key-4711-that-nobody-may-see');
  return ends;
}

/** A lab whose config and secrets commands can be given. */
interface Commanded {
  readonly folder: string;
  readonly lake: Pick<Lake, 'name'>;
  readonly written: { readonly text: string };
  /** Whose secrets they are. @default those of a fixture server */
  readonly simulator?: Pick<Simulator, 'secrets'>;
}

/** Writes the config and the secrets of a lab, and gives the options that name both and its lake. */
export async function placesOf({ folder, lake, written, simulator }: Commanded): Promise<readonly string[]> {
  const [config, secrets] = [join(folder, 'config.json'), join(folder, 'keys.json')];
  await writeFile(config, written.text);
  const signage = simulator?.secrets.signage ?? { apiKey: 'fixture-key' };
  const backup = simulator?.secrets.backup ?? { accessToken: 'fixture-token' };
  const known = { 'lab/berlin': signage, 'lab/vault': backup, 'lab/mask': { key: LAB_MASK_KEY } };
  await writeFile(secrets, JSON.stringify(known), { mode: 0o600 });
  return ['--config', config, '--secrets', secrets, '--lake', lake.name];
}

/** What `check --write` says, and with `--json` its document, and the config that it leaves. The exit code is left alone. */
export async function checkWrite(lab: Commanded, ...more: readonly string[]) {
  const places = await placesOf(lab);
  const [, file = ''] = places;
  const said = await saidBy(addCheck, 'check', '--write', ...places, ...more);
  return { said, file, written: await readFile(file, 'utf8') };
}
