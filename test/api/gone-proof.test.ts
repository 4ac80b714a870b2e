import { expect, test } from 'vitest';
import { inventedId, textShape } from '#lib/api/contract/gone-proof.ts';

test.each([
  ['17', /^1999999973$/],
  ['1999999973', /^1999999943$/],
  ['9007199254740993', /^8\d{15}$/],
  ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
  ['s-17/ü', /^[a-z]-\d\d\/ü$/],
  ['GP111-001', /^[A-Z]{2}\d{3}-\d{3}$/],
  ['ü', /^ü0$/],
])('of the form of %s', (id, form) => {
  const invented = inventedId(id);
  expect(invented).toMatch(form);
  expect(invented).not.toBe(id);
  expect(inventedId(id)).toBe(invented);
});

const UNKNOWN: Readonly<Record<string, (id: string) => string>> = {
  'its id, a path, a time and a trace': (id) =>
    `{"error":"No player ${id}","path":"/players/${encodeURIComponent(id)}/screens","at":"2026-11-2${id.length % 9}T03:00:00Z","traceId":"${id}x"}`,
  'its id as a number': (id) => `{"error":"unknown","player":${JSON.stringify(Number(id) || id)}}`,
  'a page of a web server': (id) =>
    `<html><h1>404</h1>Cannot GET /players/${id}/screens?at=17${id.length}</html>`,
  'a time in milliseconds': (id) =>
    `{"message":"not here","timestamp":17952300${id.length}0000,"status":404}`,
};
test.each(Object.entries(UNKNOWN))(
  'two answers say the same where only the record differs: %s',
  (_, answer) => {
    for (const id of ['17', 'lobby', 's-17/ü'])
      expect(textShape(answer(id), id)).toBe(textShape(answer(inventedId(id)), inventedId(id)));
  },
);

test.each([
  ['{"message":"Device is offline"}', '{"message":"No such device"}'],
  ['{"error":"player 17 did not respond"}', '{"error":"player 1999999973 was not found"}'],
  ['<p>Gerät nicht erreichbar</p>', '<p>Gerät nicht gefunden</p>'],
  ['{"error":{"code":"offline"}}', '{"error":"offline"}'],
])('two answers differ: %s', (one, other) => {
  expect(textShape(one, '17')).not.toBe(textShape(other, '1999999973'));
});
