import { describe, expect, it } from 'vitest';
import { changedAfter } from '#lib/plan/meaning/changed-columns.ts';
import { meaningChange } from '#lib/plan/meaning/meaning-change.ts';
import { traitsOf } from '#lib/plan/meaning/value-traits.ts';
import { pathText } from '#lib/schema/columns/assign-names.ts';
import type { Trait } from '#lib/schema/columns/sampled.ts';

const DAY = 86_400;
const AT = { was: Date.UTC(2026, 10, 10, 3) / 1000, is: Date.UTC(2026, 10, 11, 3) / 1000 };

type Value = string | number | boolean | object | null;

/** Reads ISO times alone; the product lets DuckDB read all forms. */
function traits(values: readonly Value[]): readonly Trait[] {
  return traitsOf(
    values.map((value) => {
      const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
      return {
        kind:
          value === null || value === ''
            ? null
            : typeof value === 'string'
              ? 'text'
              : Array.isArray(value)
                ? 'list'
                : typeof value,
        text: String(value),
        moment: isTime ? Date.parse(value.endsWith('Z') ? value : `${value}Z`) / 1000 : null,
      };
    }),
  );
}

/** What is said of 12 records. */
function said(was: (n: number) => Value, is: (n: number) => Value, at = AT): string | undefined {
  const numbers = Array.from({ length: 12 }, (_, n) => n);
  const [before, now] = [traits(numbers.map(was)), traits(numbers.map(is))];
  const pairs = before.flatMap((trait, n) => {
    const then = now[n] ?? null;
    return trait === null || then === null ? [] : [{ was: trait, is: then }];
  });
  return meaningChange({ pairs, at, date: '2026-11-11' })?.says;
}

/** What 12 records say at a time. */
const sampledAt = (path: readonly string[], at: number, value: (n: number) => Value) => ({
  at: iso(at),
  ids: Array.from({ length: 12 }, (_, n) => `id${n}`),
  traits: { [pathText(path)]: [...traits(Array.from({ length: 12 }, (_, n) => value(n)))] },
});

const ALL = 'of 12 values that were compared, 12 are';
const iso = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
const words =
  (...all: readonly string[]) =>
  (n: number) =>
    all[n % all.length] ?? '';

describe('a change of meaning', () => {
  it.each<readonly [string, (n: number) => Value, (n: number) => Value, string]>([
    [
      'bytes as GB',
      (n) => (20 + n) * 1e9,
      (n) => 20.1 + n,
      `${ALL} 1000000000 times smaller than before 2026-11-11`,
    ],
    [
      'a fraction as percent',
      (n) => (1 + ((n * 7) % 12)) / 13,
      (n) => 3 + ((n * 5) % 12) * 7,
      'the values are from 0 to 100; before 2026-11-11 they were from 0 to 1',
    ],
    [
      'times that move, in the future',
      (n) => iso(AT.was - 60 * n),
      (n) => iso(AT.is - 50 * n + 19_800),
      `${ALL} 5.5 h later than before 2026-11-11`,
    ],
    [
      'last contacts of which some stand still, 5 h earlier',
      (n) => iso(AT.was - (n % 4 === 0 ? (n + 2) * DAY : 60 * n)),
      (n) => iso((n % 4 === 0 ? AT.was - (n + 2) * DAY : AT.is - 50 * n) - 18_000),
      `${ALL} 5 h earlier than before 2026-11-11`,
    ],
    [
      'sizes that many share',
      words('1920x1080', '1280x720'),
      words('1080p', '720p'),
      `${ALL} written like 9999x; before 2026-11-11 they were written like 9999x9999`,
    ],
    ['a list', (n) => `GP${n}`, (n) => [`GP${n}`], `${ALL} lists; before 2026-11-11 they were text like xx9`],
    [
      'no zone any more',
      (n) => iso(AT.was - n * DAY),
      (n) => iso(AT.was - n * DAY).replace('Z', ''),
      `${ALL} written like 9999-99-99x99:99:99; before 2026-11-11 they were written like 9999-99-99x99:99:99x`,
    ],
    [
      'words that changed places',
      words('on', 'off'),
      words('off', 'on'),
      'of 12 values that were compared, 12 are other words than before 2026-11-11: "off" became "on", "on" became "off"',
    ],
    [
      'a flag that was turned round',
      (n: number) => n % 3 === 0,
      (n: number) => n % 3 !== 0,
      'of 12 values that were compared, 12 are other words than before 2026-11-11: "false" became "true", "true" became "false"',
    ],
    [
      'a large letter',
      words('online'),
      words('Online'),
      `${ALL} other words: "Online"; before 2026-11-11 they were "online"`,
    ],
    [
      'large letters of codes',
      (n) => `gp${n}`,
      (n) => `GP${n}`,
      'of 12 values that were compared, 12 differ from before 2026-11-11 only in upper and lower case',
    ],
  ])('is told: %s', (_, was, is, says) => {
    expect(said(was, is)).toBe(says);
  });

  it.each<readonly [string, (n: number) => Value, (n: number) => Value]>([
    ['numbers that grow', (n) => 100 + n, (n) => 140 + 2 * n],
    ['counters that begin again', (n) => 900_000 + 7000 * n, (n) => 300 + 11 * n],
    ['a number that all share and that is set again', () => 5, () => 50],
    ['times of a last contact', (n) => iso(AT.was - 60 * n), (n) => iso(AT.is - 70 * n)],
    ['a job of every night', () => iso(AT.was - 7200), () => iso(AT.is - 7200)],
    [
      'an expiry that is put off by a year',
      (n) => iso(AT.was + n * DAY),
      (n) => iso(AT.was + n * DAY + 365 * DAY),
    ],
    [
      'a fraction of a second',
      (n) => iso(AT.was - n * DAY),
      (n) => iso(AT.was - n * DAY).replace('Z', '.250Z'),
    ],
    ['a maintenance that all share, an hour later', () => iso(AT.is + DAY), () => iso(AT.is + DAY + 3600)],
    ['an uptime since last night, a day later', (n) => 3600 + n, (n) => 90_000 + n],
    ['a load that rises', (n) => (1 + n) / 13, (n) => 1.1 + n / 6],
    ['versions that many share', words('4.8.1', '4.8.2', '4.8.1'), words('5.0', '5.0.0-beta1')],
    ['a version that all share', () => '4.7', () => '4.8.1'],
    ['a state that all share', () => 'Complete', () => 'Pending'],
    [
      'screens that go off for the night, and one that goes on',
      (n: number) => n !== 3,
      (n: number) => n === 3,
    ],
    ['states that come and go', words('on', 'off', 'new'), words('off', 'on', 'off', 'new')],
    ['switches that turn', () => true, () => false],
    ['other names', (n) => `Berlin ${n}`, (n) => `Bern ${n}`],
    ['values that come and go', (n) => (n % 3 === 0 ? null : n), (n) => (n % 3 === 1 ? null : `${n}`)],
  ])('is not: %s', (_, was, is) => {
    expect(said(was, is)).toBeUndefined();
  });

  const HOUR = 3600;
  it.each<readonly [string, (n: number) => number, (n: number) => number, now: number]>([
    ['players fell silent', (n) => -60 * n, (n) => -60 * n, 9 * HOUR],
    ['players fell silent 5 min later', (n) => -60 * n, (n) => -60 * n + 300, 9 * HOUR],
    ['shops closed between the runs', (n) => -60 * n, (n) => 1800 - 50 * n, 2.5 * HOUR],
    ['a job runs at whole hours', () => -3 * HOUR, () => 3 * HOUR, 7 * HOUR],
    ['a job runs each night', () => -HOUR, () => DAY - HOUR, DAY + 9 * HOUR],
  ])('times are in no other zone at another hour where %s', (_, was, is, now) => {
    const at = (moment: (n: number) => number) => (n: number) => iso(AT.was + moment(n));
    expect(said(at(was), at(is), { was: AT.was, is: AT.was + now })).toBeUndefined();
  });

  it('a form that is as before takes it back, also from one that all shared', () => {
    const path = ['Seen'];
    const sampled = (at: number, value: (n: number) => string) => sampledAt(path, at, value);
    const run = { runId: '20261111T030000Z', exportDate: '2026-11-11' };
    const [codes, noon] = [(n: number) => `GP-${n}`, () => 'noon'];
    const is = { path, run, accepted: undefined };
    const known = changedAfter(undefined, {
      ...is,
      before: sampled(AT.was, codes),
      now: sampled(AT.is, noon),
    });
    expect(known).toMatchObject({ kind: 'format' });
    const back = { ...is, before: sampled(AT.is, noon), now: sampled(AT.is + DAY, codes) };
    expect(changedAfter(known, back)).toBeUndefined();
  });

  it('its opposite takes it back', () => {
    const path = ['Used'];
    const large = (at: number) => sampledAt(path, at, (n) => (n + 1) * 1000);
    const small = (at: number) => sampledAt(path, at, (n) => n + 1);
    const run = { runId: '20261111T030000Z', exportDate: '2026-11-11' };
    const accepted = undefined;
    const known = changedAfter(undefined, { path, before: large(AT.was), now: small(AT.is), run, accepted });
    expect(known).toMatchObject({ kind: 'unit', since: run.runId, date: '2026-11-11' });
    expect(changedAfter(known, { path, before: small(AT.is), now: small(AT.is + DAY), run, accepted })).toBe(
      known,
    );
    expect(
      changedAfter(known, { path, before: small(AT.is), now: large(AT.is + DAY), run, accepted }),
    ).toBeUndefined();
    // The opposite of a change that the operator confirmed is a change of its own.
    const later = { runId: '20261112T030000Z', exportDate: '2026-11-12' };
    const back = { path, before: small(AT.is), now: large(AT.is + DAY), run: later };
    expect(changedAfter(known, { ...back, accepted: '2026-11-11' })).toMatchObject({ date: '2026-11-12' });
  });
});
