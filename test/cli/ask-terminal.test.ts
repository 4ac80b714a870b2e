import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { type Asking, askTerminal } from '#cli/ask-terminal.ts';

/** What is typed as soon as a text stands on the terminal. */
type Typed = readonly [shown: string, keys: string];

const ENTER = '\r';
const CTRL_C = '\u0003';

/** One question, answered key by key; gives its answer, and all that stood on the terminal. */
async function ask(question: (asking: Asking) => Promise<string>, ...keys: readonly Typed[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...keys];
  let said = '';
  let before = '';
  output.on('data', (chunk) => {
    before += stripVTControlCharacters(String(chunk));
    const [shown, typed] = left[0] ?? [];
    if (shown === undefined || typed === undefined || !before.includes(shown)) return;
    left.shift();
    said += before;
    before = '';
    // Once the question is drawn, it listens.
    setImmediate(() => input.write(typed));
  });
  const answer = await question(askTerminal({ input, output }));
  expect(left).toEqual([]);
  return { answer, said: said + before };
}

const address = (asking: Asking) =>
  asking.text('At which address?', {
    example: 'https://a.example',
    fault: (value) => (value.startsWith('https://') ? undefined : `${value} is no address`),
  });

it('a text is what was typed without blanks around it, and a wrong or empty one is asked for again', async () => {
  const { answer } = await ask(
    address,
    ['At which address?', `  ${ENTER}`],
    ['such as https://a.example', `x${ENTER}`],
    ['x is no address', `\u007f\u007f\u007fhttps://b.example ${ENTER}`],
  );
  expect(answer).toBe('https://b.example');
});

it('a key is not shown, and an empty or short one is asked for again', async () => {
  const { answer, said } = await ask(
    (asking) => asking.hidden('The key?'),
    ['The key?', ` ${ENTER}`],
    ['a key', `k-4711 ${ENTER}`],
    ['is shorter than 8 characters', `-and-more ${ENTER}`],
  );
  expect(answer).toBe('k-4711 -and-more');
  expect(said).not.toContain('4711');
});

it('a question that is left says that no file was written', async () => {
  await expect(ask(address, ['At which address?', CTRL_C])).rejects.toThrow('No file was written.');
});
