import { expect, test } from 'vitest';
import { secretToPut } from '#lib/config/secrets.ts';

const put = (given: string, kind = 'apiKey') => secretToPut(given, { kind, where: 'What was given' });

test.each([
  ['the value', 'k-4711-abc', 'apiKey', { apiKey: 'k-4711-abc' }],
  ['the whole secret, as messages show it', '{"apiKey": "k-4711-abc"}', 'apiKey', { apiKey: 'k-4711-abc' }],
  ['the secret of another form', '{"accessToken": "t-4711"}', 'apiKey', { accessToken: 't-4711' }],
  ['a key of masks', 'sixteen letters!', 'key', { key: 'sixteen letters!' }],
  ['a key of masks as JSON', '{"key": "sixteen letters!"}', 'key', { key: 'sixteen letters!' }],
  ['an address', 'https://hooks.example.com/a', 'webhook', { url: 'https://hooks.example.com/a' }],
])('secret put stores what was given as %s', (_what, given, kind, stored) => {
  expect(JSON.parse(JSON.stringify(put(given, kind)))).toEqual(stored);
});

test.each(['', '{"apiKey": ', '{}', '{"apiKey": 1}', 'two words'])('secret put refuses %j', (given) => {
  expect(() => put(given)).toThrow('What was given');
});
