import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#lib/config/config.ts';
import type { TaskHandler } from '#lib/runtime/state-machine.ts';
import { bundleStage } from '../../infra/bundle.ts';
import { memoryOf, STAGES, type StageName } from '../../infra/stages.ts';

/** The event of one call of a stage. */
export interface StageCall {
  readonly event: unknown;
}

export interface StageReply {
  readonly answer?: unknown;
  readonly thrown?: { readonly name: string; readonly message: string };
  /** The most memory that the process has had, of all its calls. */
  readonly peakMiB: number;
}

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const SERVE = join(REPOSITORY, 'test/support/children/stage.ts');
/** Within the repository, for DuckDB's native library is found from there. */
const BUNDLES = join(REPOSITORY, 'node_modules/.cache');

/**
 * The stages in processes with the memory of their Lambdas, bundled as these are. One that has had more is killed, as
 * Lambda does, and its call fails. `folder` has the lake and secrets.json.
 */
export async function stageProcesses(folder: string, config: Config) {
  await mkdir(BUNDLES, { recursive: true });
  const bundles = await mkdtemp(join(BUNDLES, 'stages-'));
  const bundled = new Map<StageName, Promise<string>>();
  const bundleOf = (name: StageName): Promise<string> => {
    const bundle = bundled.get(name) ?? bundleInto(bundles, name);
    bundled.set(name, bundle);
    return bundle;
  };
  const idle = new Map<StageName, ChildProcess[]>();
  const all = new Set<ChildProcess>();
  const peaks = new Map<StageName, { readonly peakMiB: number; readonly memoryMiB: number }>();
  const memoryMiBOf = (name: StageName): number => {
    const form = STAGES.find((each) => each.name === name);
    if (form === undefined) throw new Error(`no stage ${name}`);
    return memoryOf(form, config);
  };
  const started = async (name: StageName): Promise<ChildProcess> => {
    const memoryMiB = memoryMiBOf(name);
    // A Lambda has no cache of compiled code, which is held in memory while it is loaded.
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
    const settings = { execArgv: heapOf(memoryMiB), env };
    const child = fork(await bundleOf(name), [folder, String(memoryMiB)], settings);
    all.add(child);
    return child;
  };
  const callOf =
    (name: StageName): TaskHandler =>
    async (event) => {
      const child = idle.get(name)?.pop() ?? (await started(name));
      const reply = await answerOf(child, { event });
      const memoryMiB = memoryMiBOf(name);
      const peakMiB = Math.max(reply?.peakMiB ?? 0, peaks.get(name)?.peakMiB ?? 0);
      peaks.set(name, { peakMiB, memoryMiB });
      if (reply === undefined || reply.peakMiB > memoryMiB) {
        child.kill('SIGKILL');
        throw Object.assign(new Error(`${name} had ${reply?.peakMiB} MiB`), { name: 'Runtime.ExitError' });
      }
      idle.set(name, [...(idle.get(name) ?? []), child]);
      if (reply.thrown === undefined) return reply.answer;
      throw Object.assign(new Error(reply.thrown.message), { name: reply.thrown.name });
    };
  return {
    /** The most memory that one process of a stage has had, and what its Lambda has; MiB. */
    peaks,
    /** Calls stages as Step Functions does Lambdas: each process does one call at a time, and stays for the next. */
    handlers: {
      ...{ List: callOf('list'), Collect: callOf('collect'), Sweep: callOf('sweep'), Plan: callOf('plan') },
      ...{ PublishUnit: callOf('publish'), Ledger: callOf('publish'), Commit: callOf('commit') },
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of all) child.kill('SIGKILL');
      await rm(bundles, { recursive: true, force: true });
    },
  };
}

async function bundleInto(folder: string, name: StageName): Promise<string> {
  const entry = join(folder, `${name}.ts`);
  const file = join(REPOSITORY, `lib/${name}/${name}.ts`);
  const imports = `import { ${name} } from '${file}';\nimport { serveStage } from '${SERVE}';\n`;
  await writeFile(entry, `${imports}await serveStage(${name});\n`);
  const bundle = join(folder, `${name}.mjs`);
  await bundleStage({ name, hasDuckDb: true }, bundle, entry);
  return bundle;
}

/** The heap that V8 takes by itself on a machine with so much memory: half of it for what lives long, 1/128 of that for what is new. */
function heapOf(memoryMiB: number): string[] {
  const old = Math.floor(memoryMiB / 2);
  return [`--max-old-space-size=${old}`, `--max-semi-space-size=${Math.max(1, Math.floor(old / 128))}`];
}

/** The reply to a call; undefined where the process ended in its course. */
async function answerOf(child: ChildProcess, call: StageCall): Promise<StageReply | undefined> {
  return await new Promise((resolve) => {
    const onExit = () => resolve(undefined);
    child.once('exit', onExit);
    child.once('message', (reply: StageReply) => {
      child.off('exit', onExit);
      resolve(reply);
    });
    child.send(call);
  });
}
