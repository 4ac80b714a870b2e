import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { secretStore } from '#lib/config/secrets.ts';
import { postWebhook } from '#lib/news/post-webhook.ts';
import { webhookServer } from './support.ts';

const KEY = 'a key that nobody guesses';
const NOW = new Date('2026-11-23T03:00:00Z');
/** Posts with seconds of so many milliseconds. */
const posted = (
  url: string,
  { second = 100, key = KEY }: { second?: number; key?: string | undefined } = {},
) => postWebhook({ url, key }, { body: '{"a":1}', id: '20261123T030000Z.1', now: NOW, second });

it('is signed over its time and its body, and names its attempt', async () => {
  await using server = await webhookServer();
  await posted(server.url);
  const { headers = {}, body = '' } = server.heard[0] ?? {};
  const at = headers['x-signage-export-timestamp'];
  expect(at).toBe(String(NOW.getTime() / 1000));
  const signed = createHmac('sha256', KEY).update(`${at}.${body}`).digest('hex');
  expect(headers['x-signage-export-signature']).toBe(`v1=${signed}`);
  expect(headers['x-signage-export-id']).toBe('20261123T030000Z.1');
});

it('is tried again where that may help, as late as the receiver asks', async () => {
  await using server = await webhookServer([503, 429, 500]);
  await posted(server.url, { second: 30 });
  const at = server.heard.map((each) => each.at);
  expect(at.length).toBe(4);
  // It asks for 7 s, which is longer than a wait may be: 30 of these seconds.
  expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThan(890);
});

it.each([
  ['what does not pass', [400], 1, 'it answered 400'],
  ['a redirect, which is for another address', [302], 1, 'it answered 302'],
  ['five failures', [500, 500, 500, 500, 500], 5, 'it answered 500'],
])('ends with %s, and says neither address nor key', async (_, statuses, tries, says) => {
  await using server = await webhookServer(statuses);
  const error: Error = await posted(server.url).then(
    () => expect.unreachable(),
    (each) => each,
  );
  expect(error).toMatchObject({ code: 'WEBHOOK_REFUSED', message: expect.stringContaining(says) });
  expect(server.heard.length).toBe(tries);
  expect(error.message).not.toContain('token-of-the-hook');
  expect(error.message).not.toContain(KEY);
});

it('does not say the address that no request may have', async () => {
  const posting = posted('https://token-of-the-hook:x@hooks.example.com/');
  await expect(posting).rejects.toThrow('it could not be reached');
  await expect(posting).rejects.not.toThrow('token-of-the-hook');
});

it.each([
  ['http:// to another host', '{"url":"http://hooks.example.com/x"}'],
  ['no address', '{"key":"1234567890123456"}'],
  ['a key that is too short', '{"url":"https://hooks.example.com/x","key":"short"}'],
  ['no JSON', 'https'],
])('a secret with %s is refused, and not shown', async (_, value) => {
  const read = secretStore(async () => ({ value, where: 'The secret' })).readWebhook('hook');
  await expect(read).rejects.toThrow('The secret must be');
  await expect(read).rejects.not.toThrow(/hooks\.example|short"/);
});
