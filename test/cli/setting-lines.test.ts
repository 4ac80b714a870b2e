import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askTerminal } from '#cli/ask-terminal.ts';
import { askedSettings } from '#cli/setting-lines.ts';
import type { Question } from '#lib/sources/question.ts';

const CAPPED: Question = {
  code: 'CAP_SUSPECTED',
  source: 'berlin',
  resource: 'players',
  says: 'The answer has 100 records, and the server returns other records for offset:skip',
  cures: [
    { setting: 'resources.players.complete', choices: [true], when: '100 is the right number today' },
    {
      setting: 'resources.players.paging',
      choices: ['offset:skip'],
      open: 'the style',
      when: 'there are more records',
    },
  ],
};
const ZONE: Question = {
  code: 'TIME_ZONE_UNKNOWN',
  source: 'berlin',
  resource: 'players',
  says: 'The times have no time zone',
  cures: [{ setting: 'timeZone', choices: [] }],
};

/** Answers the questions of a terminal with these keys, one question after the other. */
async function answered(questions: readonly Question[], keys: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...keys];
  let said = '';
  output.on('data', (chunk) => {
    said += String(chunk);
    // The last line of each question.
    if (/\byes\b[\s\S]*└/.test(String(chunk)) && left.length > 0)
      setImmediate(() => input.write(left.shift() ?? ''));
  });
  const asking = askTerminal({ input, output });
  const answers = await askedSettings(questions, { asking, names: ['zurich', 'berlin'] });
  return { answers: answers.map(({ source, setting, value }) => [source, setting, value]), said };
}

const YES = '\u001b[B\r';
const NO = '\r';

it('yes writes the setting, whose place is shown, and the question is over', async () => {
  const { answers, said } = await answered([CAPPED], [YES]);
  expect(answers).toEqual([['berlin', 'resources.players.complete', true]]);
  const words = said.replaceAll(/[│\s]+/g, ' ');
  expect(words).toContain('Is this true: 100 is the right number today?');
  expect(words).toContain('"Yes" writes sources[1].resources.players.complete: true');
});

it('no goes on to the next setting of the question', async () => {
  expect((await answered([CAPPED], [NO, YES])).answers).toEqual([
    ['berlin', 'resources.players.paging', 'offset:skip'],
  ]);
  expect((await answered([CAPPED], [NO, NO])).answers).toEqual([]);
});

it('what is no matter of yes or no is not asked', async () => {
  expect(await answered([ZONE], [])).toEqual({ answers: [], said: '' });
});
