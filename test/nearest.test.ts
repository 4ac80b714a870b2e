import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '#lib/text.ts';

describe('the word that was probably meant', () => {
  it.each([
    ['goen', 'gone'],
    ['laek', 'lake'],
    ['nmae', 'name'],
    ['rn', 'run'],
    ['signge', 'signage'],
    ['LICENCES', 'licenses'],
    ['powershel', 'powershell'],
    ['baseURI', 'baseUrl'],
    ['qurey', 'query'],
    ['plaeyrs', 'players'],
    ['Europe/Belrin', 'Europe/Berlin'],
  ])('%s is %s', (word, meant) => {
    expect(nearest(word, ['else', meant, 'something'])).toBe(meant);
  });

  it.each([
    ['nope', 'gone'],
    ['cat', 'bat of another'],
    ['abc', 'xyz'],
    ['x', 'y'],
    ['run', 'on'],
    ['berlin', 'bern'],
    ['', 'a'],
    ['status', 'states of all'],
  ])('%s is not %s', (word, other) => {
    expect(nearest(word, [other])).toBeUndefined();
  });

  it('is the nearest of several, and of none all are named', () => {
    expect(nearest('screen', ['screens_daily', 'screens', 'scene'])).toBe('screens');
    const options = { known: ['gone', 'down'], otherwise: 'known are gone, down' };
    expect(didYouMean('nope', options)).toBe('known are gone, down.');
    expect(didYouMean('dwon', options)).toBe('did you mean down?');
  });
});
