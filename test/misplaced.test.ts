import { describe, expect, it } from 'vitest';
import { circlesOf, importsIn, misplaced } from './support/import-graph.ts';
import { ALLOWED, LAYERS } from './support/layers.ts';

describe('an import that test/architecture.test.ts has to find, of a wrong place or in a rare form', () => {
  it.each([
    ['lib/plan/plan.ts', "import type { UnitContext } from '../publish/unit-context.ts';"],
    ['lib/schema/schema.ts', "import { config } from '../config/config.ts';"],
    ['lib/errors.ts', "import { lakeKey } from './lake/keys.ts';"],
    ['lib/run/unit.ts', "import { publish } from '#functions/publish.ts';"],
    ['lib/a.ts', "import type { World } from '#simulator/world.ts';"],
    ['lib/estimate/a.ts', "import type { S } from '../../infra/stages.ts';"],
    ['lib/sql.ts', "import { rawRow } from '../test/support/raw-row.ts';"],
    ['functions/a.ts', "import { b } from '../infra/stages.ts';"],
    ['functions/a.ts', "import { b } from '#cli/run.ts';"],
    ['infra/a.ts', "import { b } from '../cli/options.ts';"],
    ['infra/a.ts', "import { b } from '../simulator/server.ts';"],
    ['simulator/a.ts', "import type { U } from '#lib/run/unit.ts';"],
    ['simulator/a.ts', "export type { O } from '#cli/options.ts';"],
    ['cli/a.ts', "import { b } from '../infra/export-stack.ts';"],
    ['cli/a.ts', "import { b } from '../bench/figures.ts';"],
    ['scripts/a.ts', "import { b } from '../infra/export-stack.ts';"],
    ['lib/a.ts', "import b from '../vitest.config.ts';"],
    ['other/a.ts', "import { b } from '#lib/errors.ts';"],
    ['lib/errors.ts', 'import { lakeKey } from "./lake/keys.ts";'],
    ['lib/errors.ts', "import { a /* it's; */ } from './lake/keys.ts';"],
    ['lib/errors.mts', "import { a } from './lake/keys.ts';"],
    ['lib/a.ts', "let b: import('./lake/keys.ts').Key;"],
    ['lib/a.ts', "const b = await import('./lake/keys.ts');"],
    ['lib/a.ts', 'const b = (name: string) => import(name);'],
    ['lib/a.cts', "const b = require('./lake/keys.ts');"],
    ['lib/a.ts', "import './lake/keys.ts';"],
  ])('in %s, %s is found', (file, text) => {
    expect(misplaced(importsIn(file, text), { layers: LAYERS, allowed: ALLOWED })).toHaveLength(1);
  });

  it('a circle of three files is found, types included', () => {
    const circle = [
      importsIn('lib/a.ts', "import { b } from './b.ts';"),
      importsIn('lib/b.ts', "export type { C } from './plan/c.ts';"),
      importsIn('lib/plan/c.ts', "import {\n  type A,\n} from '../a.ts';"),
      importsIn('lib/d.ts', "import { a } from './a.ts';"),
    ].flat();
    expect(circlesOf(circle)).toEqual([['lib/a.ts', 'lib/b.ts', 'lib/plan/c.ts']]);
  });
});
