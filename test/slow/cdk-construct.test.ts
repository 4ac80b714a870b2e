import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchBinding } from '../../infra/bindings.ts';
import { STAGES } from '../../infra/stages.ts';
import { someOf } from '../support/some-of.ts';

const call = promisify(execFile);
const CONFIG = 'test/infra/fixtures/export.config.json';
const MB = 1e6;

/** What a platform team writes. */
const APP = `
import { App, Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { SignageExport, type SignageExportProps } from 'signage-export/cdk';

const app = new App();
const props: SignageExportProps = { config: 'export.config.json', architecture: 'x86_64' };
const alone = new Stack(app, 'signage', {
  description: 'Copies digital-signage and backup-storage APIs into Parquet for Athena and BI',
});
const construct = new SignageExport(alone, 'Default', props);
const beside = new Stack(app, 'platform');
new StringParameter(beside, 'Lake', { stringValue: construct.lake.bucketName });
const named = new Stack(app, 'named');
new SignageExport(named, 'Signage', props);
app.synth();
`;

/** CDK's own check of a template costs more than the template. */
const WITHOUT_CHECK = { CDK_VALIDATION: 'false' };

/** As CDK's command line asks for it: a template names the folders of its assets. */
const WITH_PATHS = { 'aws:cdk:enable-asset-metadata': true };

type Template = Readonly<Record<string, Readonly<Record<string, object>>>>;

let folder: string;
/** What the repository synthesizes, and where. */
let ours: { readonly out: string; readonly template: Template | undefined };
beforeAll(async () => {
  fetchBinding('x86_64');
  folder = await mkdtemp(join(tmpdir(), 'signage-export-cdk-'));
  await call('npm', ['pack', '--pack-destination', folder]);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const versions = ['aws-cdk-lib', 'constructs', 'typescript'].map(async (name) => {
    const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'));
    expect(devDependencies).toHaveProperty([name]);
    return `${name}@${version}`;
  });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await call('npm', [...words, join(folder, tarball), ...(await Promise.all(versions))], { cwd: folder });
  await writeFile(join(folder, 'app.ts'), APP);
  await copyFile(CONFIG, join(folder, 'export.config.json'));
  const out = await mkdtemp(join(folder, 'out-'));
  const context = { config: CONFIG, architecture: 'x86_64', ...WITH_PATHS };
  const env = { CDK_VALIDATION: 'true' };
  const [template] = [...(await synthesize('infra/app.ts', { cwd: '.', context, env, out })).values()];
  ours = { out, template };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A network of its own with nothing in it; not every system lets one have it. */
async function withoutNetwork(): Promise<readonly string[]> {
  const isolated = ['--user', '--map-root-user', '--net'];
  const words = call('unshare', [...isolated, 'true']).then(() => ['unshare', ...isolated]);
  return await words.catch(() => []);
}

interface SynthesizeOptions {
  readonly cwd: string;
  readonly context?: object;
  readonly env?: object;
  /** @default a new folder */
  readonly out?: string;
}

/** Runs an app of CDK as its command line does, without a network. Gives the templates by the names of their files. */
async function synthesize(app: string, { out: given, ...options }: SynthesizeOptions) {
  const out = given ?? (await mkdtemp(join(folder, 'out-')));
  const { AWS_PROFILE: _, ...environment } = process.env;
  const [command = '', ...words] = [...(await withoutNetwork()), process.execPath, app];
  const asked = { CDK_OUTDIR: out, CDK_CONTEXT_JSON: JSON.stringify(options.context ?? {}) };
  const env = { ...environment, ...WITHOUT_CHECK, ...options.env, ...asked };
  await call(command, words, { cwd: options.cwd, env });
  const files = (await readdir(out)).filter((name) => name.endsWith('.template.json'));
  const texts = files.map(async (name) => [name, await readFile(join(out, name), 'utf8')] as const);
  return new Map((await Promise.all(texts)).map(([name, text]) => [name, JSON.parse(text) as Template]));
}

/** The functions of a template: by what their names end with, the folder with what is in the zip. */
function assetsIn(template: Template | undefined): ReadonlyMap<string, string> {
  const assets = Object.values(template?.['Resources'] ?? {}).flatMap((resource) => {
    const { Properties, Metadata } = resource as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    const path = Metadata?.['aws:asset:path'];
    const name = String(Properties?.['FunctionName']).split('-').at(-1) ?? '';
    return path === undefined ? [] : [[name, String(path)] as const];
  });
  return new Map(assets);
}

it('what is uploaded is small, and has a client of APIs or DuckDB, never both', async () => {
  const assets = assetsIn(ours.template);
  // Most have the same DuckDB, which is long to compress.
  const zippedBytes = new Map<string, number>();
  const zippedOf = (bytes: Buffer) => {
    const sum = hash('sha256', bytes);
    const known = zippedBytes.get(sum) ?? deflateRawSync(bytes).length;
    zippedBytes.set(sum, known);
    return known;
  };
  for (const { name, hasDuckDb, callsApi } of someOf(STAGES)) {
    const asset = join(ours.out, assets.get(name) ?? '');
    const entries = await readdir(asset, { recursive: true, withFileTypes: true });
    const files = entries.flatMap((each) => (each.isFile() ? [join(each.parentPath, each.name)] : []));
    const bytes = await Promise.all(files.map((file) => readFile(file)));
    const zipped = bytes.reduce((sum, each) => sum + zippedOf(each), 0);
    expect(zipped, name).toBeLessThan((hasDuckDb ? 60 : 1.5) * MB);
    const whole = bytes.reduce((sum, each) => sum + each.length, 0);
    expect(whole, name).toBeLessThan(250 * MB);
    const due = { name, hasDuckDb };
    expect({ name, hasDuckDb: files.some((file) => file.endsWith('duckdb.node')) }).toEqual(due);
    const code = await readFile(join(asset, 'index.mjs'), 'utf8');
    // Plan and publish read the key of masks, where their roles let them.
    expect(code.includes('GetSecretValue'), name).toBe(callsApi || ['plan', 'publish'].includes(name));
    expect(code.includes('UND_ERR_'), `undici in ${name}`).toBe(callsApi);
  }
});

describe('the construct in a new app, from the package, without esbuild', () => {
  it('makes the template of the repository, the hashes of the functions too', async () => {
    // `cdk init` writes these flags into cdk.json. Without them the actions of a policy are in another order.
    const flags = join(folder, 'node_modules/aws-cdk-lib/recommended-feature-flags.json');
    const context = JSON.parse(await readFile(flags, 'utf8'));
    const theirs = await synthesize('app.ts', { cwd: folder, context: { ...context, ...WITH_PATHS } });
    const own = ours.template;
    const [alone, named] = ['signage', 'named'].map((name) => theirs.get(`${name}.template.json`));
    expect(alone?.['Resources']).toEqual(own?.['Resources']);
    // One more output: CDK exports it to the stack next to it.
    const { Outputs: outputs, ...rest } = alone ?? {};
    const { Outputs: ownOutputs, ...ownRest } = own ?? {};
    expect(outputs).toMatchObject(ownOutputs ?? {});
    expect(rest).toEqual(ownRest);
    expect(Object.keys(own?.['Resources'] ?? {}).length).toBeGreaterThan(50);
    // Under another id the logical ids are others, and nothing else.
    const typeOf = (resource: object) => Reflect.get(resource, 'Type');
    const types = (template: Template | undefined) =>
      Object.values(template?.['Resources'] ?? {})
        .map(typeOf)
        .sort();
    expect(types(named)).toEqual(types(own));
  });

  it.each(['one-customer', 'twenty-customers'])('synthesizes examples/%s, also over a lake', async (name) => {
    // Below the folder, so that the packages are found.
    const place = join(folder, name);
    await cp(join('examples', name), place, { recursive: true });
    const { dependencies } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
    const { dependencies: installed } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies).filter((each) => !(each in installed))).toEqual([]);
    const app = await readFile(join(place, 'app.ts'), 'utf8');
    const tried = app.replace("'export.config.json' }", "'export.config.json', architecture: 'x86_64' }");
    expect(tried).not.toBe(app);
    await writeFile(join(place, 'app.ts'), tried);
    const context = { existingLake: 'lake-of-before' };
    const [[, template] = []] = [...(await synthesize('app.ts', { cwd: place, context }))];
    const { name: config } = JSON.parse(await readFile(join(place, 'export.config.json'), 'utf8'));
    expect(JSON.stringify(template)).toContain(`"${config}-collect"`);
    expect(template?.['Outputs']?.['Lake']).toMatchObject({ Value: 's3://lake-of-before' });
  });

  it('has types for TypeScript', async () => {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--target', 'es2022'];
    const tsc = join(folder, 'node_modules/typescript/bin/tsc');
    await writeFile(join(folder, 'wrong.ts'), APP.replace("'x86_64'", "'sparc'"));
    const checked = call(process.execPath, [tsc, ...options, 'app.ts', 'wrong.ts'], { cwd: folder });
    const wanted = { stdout: expect.stringMatching(/^wrong\.ts.*sparc.*\n(?!app\.ts)/) };
    await expect(checked).rejects.toMatchObject(wanted);
  });

  it('says what is wrong with a config, and what to fetch', async () => {
    await writeFile(join(folder, 'missing.ts'), APP.replace("'export.config.json'", "'other.json'"));
    const stderr = expect.stringMatching(/other\.json does not exist: .*signage-export init/);
    await expect(synthesize('missing.ts', { cwd: folder })).rejects.toMatchObject({ stderr });
    const wrong = { name: 'Signage', sources: [{ name: 'a', kind: 'signge', baseUrl: 'x', secret: 's' }] };
    await writeFile(join(folder, 'wrong.json'), JSON.stringify(wrong));
    await writeFile(join(folder, 'mistaken.ts'), APP.replace("'export.config.json'", "'wrong.json'"));
    const said = await synthesize('mistaken.ts', { cwd: folder }).then(
      () => '',
      ({ stderr }) => String(stderr),
    );
    // What the line that threw it looks like, a sentence for each mistake, and no more.
    const lines = said.split('\n').filter((line) => line.trim() !== '');
    expect(lines.filter((line) => /^ {4}at |faults/.test(line))).toEqual([]);
    const mistakes =
      /^\[?CONFIG_INVALID: wrong\.json has 3 mistakes:\n {2}sources\[0\]\.kind is .*\n {2}name is /m;
    expect(said).toMatch(mistakes);
    expect(said.length).toBeLessThan(1500);
    const nothing = { XDG_CACHE_HOME: join(folder, 'empty-cache'), CDK_OUTDIR: join(folder, 'none') };
    const called = call(process.execPath, ['app.ts'], { cwd: folder, env: { ...process.env, ...nothing } });
    const cure = expect.stringContaining('run `npx signage-export bindings` once');
    await expect(called).rejects.toMatchObject({ stderr: cure });
  });
});
