import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toTheSecond } from '#lib/time.ts';
import { below, nodesIn, sourceFiles, statementsOf, wordOf } from './support/syntax.ts';

it('a time is said to the second, whatever it is given as', () => {
  const times = [new Date('2026-11-21T03:20:00.999Z'), '2026-11-21T03:20:00Z', '2026-11-21T04:20:00.5+01:00'];
  expect(times.map(toTheSecond)).toEqual(Array(3).fill('2026-11-21T03:20:00Z'));
});

/** Calls of toISOString in a text, whose milliseconds nobody reads. */
function millisecondsIn(file: string, text: string): readonly string[] {
  if (!text.includes('toISOString')) return [];
  const texts = [...below(statementsOf(file, text))].filter(({ type }) => type === 'TemplateLiteral');
  return texts
    .flatMap(({ expressions }) => nodesIn(expressions))
    .flatMap((each) => nodesIn(each['callee']).filter(({ property }) => wordOf(property) === 'toISOString'))
    .map(({ start, end }) => `${file}: ${text.slice(start, end)}`);
}

it('no message says a time to the millisecond', () => {
  const files = sourceFiles(/^(lib|cli|functions)\//);
  const found = files.flatMap((file) => millisecondsIn(file, readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});
