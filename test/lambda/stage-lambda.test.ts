import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ExportError } from '#lib/errors.ts';
import { parsed } from '#lib/lambda/parsed.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { lambdaContext } from './lambda-context.ts';

/** As DuckDB quotes what it could not read. */
const FOREIGN = 'Conversion Error: could not read "hunter2" of player@example.com';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  vi.stubEnv('TMPDIR', folder.path);
  vi.stubEnv('LAKE', 's3://some-bucket');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await folder[Symbol.asyncDispose]();
});

/** All that the state machine would get of it: Lambda takes name, message and stack. */
async function thrownBy(error: Error): Promise<{ readonly name: string; readonly said: string }> {
  const handler = stageLambda('plan').handler(async () => {
    throw error;
  });
  const thrown = await handler({}, lambdaContext()).catch((each: unknown) => each);
  if (!(thrown instanceof Error)) throw new Error('the stage did not fail');
  return { name: thrown.name, said: `${thrown.message} ${thrown.stack} ${String(thrown.cause)}` };
}

it('the text of a foreign error, which may quote its input, leaves no Lambda', async () => {
  const cause = new Error(FOREIGN);
  const { name, said } = await thrownBy(Object.assign(new TypeError(FOREIGN), { cause }));
  expect(name).toBe('TypeError');
  expect(said).toContain('An unexpected TypeError: look at the log of this stage.');
  expect(said).not.toMatch(/hunter2|player@example\.com/);
});

it('an error of ours goes on with its code, by which the state machine knows it, and its words', async () => {
  const { name, said } = await thrownBy(new ExportError({ code: 'COMMIT_FENCED', message: 'start again' }));
  expect([name, said]).toEqual(['COMMIT_FENCED', expect.stringContaining('start again')]);
});

it('a stage has ten seconds less than its Lambda, to store what it has', async () => {
  const handler = stageLambda('collect').handler(async (_, { services }) => services.timeLeft());
  expect(await handler({}, lambdaContext())).toBe(50_000);
});

it('an event of another form is refused before the handler sees it, and the lake is closed all the same', async () => {
  const handler = stageLambda('operate')
    .use(parsed(z.object({ command: z.literal('sync') })))
    .handler(async ({ command }) => command);
  expect(await handler({ command: 'sync' }, lambdaContext())).toBe('sync');
  const context = lambdaContext();
  await expect(handler({ command: 'never' } as never, context)).rejects.toThrow('An unexpected ZodError');
  expect(await readdir(folder.path)).toEqual([]);
});
