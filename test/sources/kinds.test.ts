import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseConfig } from '#lib/config/parse-config.ts';
import type { Kind } from '#lib/sources/kind.ts';
import { KINDS, kindNamed } from '#lib/sources/kinds.ts';
import { RESOURCES, settingOf } from '#lib/sources/resources.ts';
import { someOf } from '../support/some-of.ts';

/** The settings of each kind that have no default. */
const REQUIRED = { signage: {}, backup: { accountId: '10/42 é' } } as const;

function sourceOf({ kind }: Kind, more: object = {}) {
  const required: object = Reflect.get(REQUIRED, kind) ?? {};
  const written = { name: 'a', kind, baseUrl: 'https://a.example', secret: 's', ...required, ...more };
  const [source] = parseConfig(JSON.stringify({ name: 'a', sources: [written] }), 'test').sources;
  if (source === undefined) throw new Error('there is one source');
  return source;
}

describe.each(KINDS.map((kind) => [kind.kind, kind as Kind] as const))(
  'a source of the kind %s',
  (_, kind) => {
    const resources = RESOURCES.filter((resource) => resource.kind === kind.kind);

    it('asks for each of its listings with its own settings', () => {
      const source = sourceOf(kind);
      for (const { target } of someOf(resources)) {
        const { path, query } = target(source, 'a/b c');
        expect(path).toMatch(/^(\/[^/{}]+)+$/);
        expect(JSON.stringify([path, query])).not.toMatch(/undefined|\[object|[{]\w+[}]/);
      }
    });

    it('has every setting that its paths and variants name', () => {
      const source = sourceOf(kind);
      const named = [...resources.flatMap(({ pathSettings }) => pathSettings), ...Object.keys(kind.variants)];
      expect(named.filter((name) => settingOf(source, name) === undefined)).toEqual([]);
      // What is tried in place of a setting must be what the config takes.
      const variants = Object.entries(kind.variants);
      expect(
        variants.filter(([name, values]) => !values.some((each) => each === settingOf(source, name))),
      ).toEqual([]);
    });

    it('stands behind a path of its own where basePath says so', () => {
      const source = sourceOf(kind, { basePath: '/proxy' });
      for (const { target } of someOf(resources)) expect(target(source, '1').path).toMatch(/^\/proxy\//);
    });

    it('has parents before their children, and at least one listing that needs none', () => {
      const names = kind.listings.map(({ name }) => name);
      for (const [index, { parent }] of kind.listings.entries())
        if (parent !== undefined) expect(names.slice(0, index)).toContain(parent);
      expect(kind.listings.some(({ parent }) => parent === undefined)).toBe(true);
      expect(kind.parentsOf(0)).toBeGreaterThanOrEqual(0);
      expect(kind.sampledParents).toBeGreaterThan(0);
    });

    it('sends its key in a header that is written as HTTP compares it', () => {
      expect(Object.values(kind.secret).length).toBeGreaterThan(0);
      for (const { name } of Object.values(kind.secret)) expect(name).toMatch(/^[a-z][a-z-]+$/);
    });
  },
);

it('no source has a setting of another kind', () => {
  const common = Object.keys(sourceOf(KINDS[0])).filter((name) => !(name in KINDS[0].settings));
  for (const kind of KINDS) {
    const own = Object.entries<z.ZodType>(kind.settings)
      // One without a default, such as playerUrl, may be left out.
      .filter(([, shape]) => !(shape instanceof z.ZodExactOptional))
      .map(([name]) => name);
    expect(Object.keys(sourceOf(kind)).sort()).toEqual([...common, ...own].sort());
  }
});

it('ids and settings are one segment of a path each', () => {
  const slots = RESOURCES.find(({ name }) => name === 'backup_slots');
  expect(slots?.target(sourceOf(kindNamed('backup')), '../a b')).toEqual({
    path: '/0/backup/..%2Fa%20b/slot',
    query: { account_id: '10/42 é' },
  });
});
