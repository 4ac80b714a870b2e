import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { refusePlainKey } from '#lib/api/plain-key.ts';

const refusing = (key: string) => () => refusePlainKey(key, { name: 'berlin', secret: 'lab/berlin' });

describe('a key that is too plain to be one', () => {
  it.each([
    ['abc-123', 'shorter than 8'],
    ['12345678', 'digits alone'],
    ['2026-11-20', 'digits alone'],
    ['192.168.0.1:8443', 'digits alone'],
    ['xxxxxxxxxxxx', 'fewer than 4 different'],
    ['00000000-0000-0000-0000-000000000000', 'fewer than 4 different'],
  ])('%s is %s', (key, why) => {
    expect(refusing(key)).toThrow(why);
    expect(refusing(key)).not.toThrow(key);
  });

  it.each([
    ['a UUID', randomUUID()],
    ['hexadecimal digits', randomBytes(16).toString('hex')],
    ['digits, many', '73850912846501928374650192'],
    ['Base64', randomBytes(24).toString('base64')],
    ['a short one by chance', 'k7Qz-4Wm'],
    ['words', 'another-key-of-mine'],
  ])('%s raises nothing', (_, key) => {
    expect(refusing(key)).not.toThrow();
  });
});
