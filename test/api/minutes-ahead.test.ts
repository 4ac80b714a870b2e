import { expect, it } from 'vitest';
import { minutesAhead, nearer } from '#lib/api/call/minutes-ahead.ts';

const NOW = new Date('2028-02-29T12:00:00Z');

it.each([
  ['none', {}, undefined],
  ['of this second', { date: 'Tue, 29 Feb 2028 12:00:00 GMT' }, 0],
  ['of another zone, as if it were GMT', { date: 'Tue, 29 Feb 2028 17:30:00 GMT' }, 330],
  ['of a leap day that is none', { date: 'Mon, 29 Feb 2027 12:00:00 GMT' }, -365 * 1440],
  ['without a zone', { date: 'Tue Feb 29 17:30:00 2028' }, undefined],
  ['a number', { date: '1834401600' }, undefined],
  ['no date', { date: 'Tue, soon GMT' }, undefined],
  ['of a cache that keeps it, and its age', { date: 'Mon, 28 Feb 2028 12:00:00 GMT', age: '86400' }, 0],
  ['of a cache that writes its own, and an age', { date: 'Tue, 29 Feb 2028 12:00:00 GMT', age: '86400' }, 0],
  ['with an age that is none', { date: 'Mon, 28 Feb 2028 12:00:00 GMT', age: 'old' }, -1440],
  ['twice', { date: ['Tue, 29 Feb 2028 12:01:00 GMT', 'x'] }, 1],
])('a Date: %s', (_, headers, minutes) => {
  expect(minutesAhead(headers, NOW)).toBe(minutes);
});

it('of the Dates of many answers the nearest counts', () => {
  const all = [undefined, 600, -3, undefined, 4];
  expect(all.reduce(nearer)).toBe(-3);
});
