import { expect, test } from 'vitest';
import { createUnderstanding } from '#lib/api/understand.ts';
import { resourceNamed } from '#lib/sources/resources.ts';
import { labConfig } from '../support/export-lab.ts';
import { bodyOf } from './support/body-of.ts';

test('an answer is looked at once, for the failure that it tells and for its records', async () => {
  const [source] = labConfig('https://signage.example.com').sources;
  if (source === undefined) throw new Error('the lab has no source');
  const understand = createUnderstanding({ source, resource: resourceNamed('players') });
  const answers = ['[{"Id":1}]', '{"value":[{"Id":1},{"Id":2}]}'];
  for (const text of answers) {
    const answer = { headers: {}, body: await bodyOf(text) };
    const first = understand(answer);
    expect(understand(answer)).toBe(first);
    // It is let go then: whoever waits must not hold the records.
    expect(understand(answer)).not.toBe(first);
  }
  expect.assertions(2 * answers.length);
});
