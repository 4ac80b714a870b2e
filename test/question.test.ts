import { expect, it } from 'vitest';
import { type Cure, saidWithCures } from '#lib/sources/question.ts';

const items = 'resources.players.items';
const CASES: ReadonlyArray<readonly [cures: readonly Cure[], text: string]> = [
  [[], 'It is so.'],
  [[{ setting: items, choices: ['data', 'rows{}'] }], `It is so. Set ${items} to "data" or "rows{}".`],
  [
    [{ setting: items, choices: [], open: 'where the records are' }],
    `It is so. Set ${items} to where the records are.`,
  ],
  [
    [
      { setting: items, choices: ['data'], when: 'the records are there' },
      { setting: items, choices: [], open: 'where they are' },
    ],
    `It is so. Set ${items} to "data" if the records are there, or to where they are.`,
  ],
  [
    [
      { setting: 'resources.players.ignore', choices: [['more']], when: 'it means nothing' },
      { setting: 'resources.players.complete', choices: [true] },
    ],
    'It is so. Set resources.players.ignore to ["more"] if it means nothing, or set resources.players.complete to true.',
  ],
];
it.each(CASES)('what a question says, rendered from its values: %j', (cures, text) => {
  expect(saidWithCures('It is so', cures)).toBe(text);
});
