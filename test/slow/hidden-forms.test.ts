import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectReport } from '#lib/report/collect-report.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { everythingIn } from '../support/everything-in.ts';
import { type FixtureLab, fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { someOf } from '../support/some-of.ts';

/** What is hidden: short and deep paths, in another case than the records have them too. */
const HIDDEN = ['Contact.Phone', 'Owners.Mail', 'big.K3', 'Tree.A.B.C.D.E.F.G', 'Site.Room.Door', 'Pin'];

/** How a value stands: by itself, in lists, in JSON within a text, or with much beside it. */
const form = fc.constantFrom(
  'plain',
  'plain',
  'list',
  'lists',
  'text',
  'beside',
  'wide',
  'twice',
  'case',
  'none',
);
type Form = typeof form extends fc.Arbitrary<infer Value> ? Value : never;
const LONGEST = 8;
const met = fc.array(form, { minLength: LONGEST, maxLength: LONGEST });
/** A record: how each of its hidden values is met. */
const record = fc.array(met, { minLength: HIDDEN.length, maxLength: HIDDEN.length });
/** As many each day: a listing that is halved is held back. */
const day = fc.array(record, { minLength: 2, maxLength: 2 });
const world = fc.record({
  how: fc.constantFrom('drop', 'mask'),
  rawRetentionDays: fc.constantFrom(0, 30),
  days: fc.array(day, { minLength: 2, maxLength: 2 }),
});
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

/** The JSON of a member and of what leads from it to a value, which is a new token wherever it stands. */
function member(
  [name = '', ...names]: readonly string[],
  forms: readonly Form[],
  token: () => string,
): string {
  const [own = 'plain', ...inner] = forms;
  const valued = (): string => {
    const value = names.length === 0 ? token() : `{${member(names, inner, token)}}`;
    return names.length === 0 ? JSON.stringify(value) : value;
  };
  const of = (key: string, value: string) => `${JSON.stringify(key)}:${value}`;
  switch (own) {
    case 'list':
      return of(name, `[${valued()},${valued()}]`);
    case 'lists':
      return of(name, `[[${valued()}],1]`);
    case 'text':
      return of(name, JSON.stringify(valued()));
    case 'twice':
      return `${of(name, valued())},${of(name, valued())}`;
    case 'case':
      return `${of(name.toUpperCase(), valued())},${of(` ${name}`, valued())},${of(name, valued())}`;
    case 'beside':
      return `${of('Ok', '1')},${of(name, valued())}`;
    case 'wide': {
      const others = Array.from({ length: 70 }, (_, index) => `"W${index}":"v"`);
      return names.length === 0 ? of(name, valued()) : of(name, `{${others.join(',')},${valued().slice(1)}`);
    }
    case 'none':
      return of('Ok', '2');
    default:
      return of(name, valued());
  }
}

function served(days: World['days'], index: number, token: () => string) {
  const records = (days[index] ?? []).map((forms) =>
    HIDDEN.map((path, at) => member(path.split('.'), forms[at] ?? [], token)).join(','),
  );
  return {
    [`${SIGNAGE}/Players`]: { body: `[${records.map((each, id) => `{"Id":${id + 1},${each}}`).join(',')}]` },
    [`${SIGNAGE}/Licenses`]: {
      body: `[${records.map((each, id) => `{"Room":"R${id}",${each}}`).join(',')}]`,
    },
  };
}

const settings = ({ how, rawRetentionDays }: World, isHidden: boolean) => {
  const hidden = isHidden ? { [how]: HIDDEN } : {};
  return {
    config: { rawRetentionDays, ...(isHidden && how === 'mask' && { maskSecret: 'lab/mask' }) },
    signage: { maxColumns: 1000, resources: { players: hidden, licenses: hidden } },
  };
};

/** Two days, and a third like the second. What is hidden is so from the first day on, or from the third. */
async function labOf(given: World, from: 'first' | 'last'): Promise<FixtureLab> {
  const lab = await fixtureLab({}, settings(given, from === 'first'));
  for (const index of [0, 1, 2]) {
    let tokens = 0;
    const body = served(given.days, Math.min(index, 1), () => `HID${Math.min(index, 1)}x${tokens++}`);
    const summary = await lab.run(
      `2026-11-2${index}T03:00:00Z`,
      body,
      settings(given, from === 'first' || index === 2),
    );
    expect(summary.status).toBe('complete');
  }
  return lab;
}

/** All that is shown: cells of every day, what changed, what did not fit, and the report. */
async function shownIn(lab: FixtureLab) {
  const of = (sql: string) => lab.rows(sql);
  using tables = await openTables(lab.lake);
  return {
    players: await of('select * exclude (exported_at) from players_daily order by all'),
    licenses: await of('select * exclude (exported_at) from licenses_daily order by all'),
    rejects: await of('select * from rejects order by all'),
    changes: await of('select * from changes order by all'),
    rest: [
      await of('select * from outcomes'),
      await of('select * from schema_columns'),
      await collectReport(tables, lab.config, new Date('2026-11-22T06:00:00Z')),
    ],
  };
}

const tokensIn = (text: string) => [...new Set(text.match(/HID\dx\d+/g) ?? [])];
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));

it('what is hidden is nowhere, in whatever form it is met, and hiding it later leaves no more', async () => {
  const seed = Number(process.env['HIDDEN_FORMS_SEED'] ?? 1);
  const numRuns = Number(process.env['HIDDEN_FORMS_RUNS'] ?? 2);
  process.stdout.write(`hidden forms: seed ${seed}, ${numRuns} worlds\n`);
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      await using first = await labOf(given, 'first');
      const folder = join(first.folder, 'lake');
      const places = (await readdir(folder)).filter((name) => name !== 'raw');
      for (const place of someOf(places.filter((name) => !name.includes('.'))))
        expect(tokensIn((await everythingIn(join(folder, place))).join('\n')), place).toEqual([]);
      expect(tokensIn(textOf(await shownIn(first)))).toEqual([]);
      await using last = await labOf(given, 'last');
      const news = "select * from changes where export_run_id = '20261122T030000Z'";
      expect(await last.rows(news)).toEqual([]);
      for (const [place, rows] of Object.entries(await shownIn(last)))
        expect(
          rows.filter((row) => tokensIn(textOf(row)).length > 0),
          place,
        ).toEqual([]);
    }),
    { seed, numRuns, endOnFailure: process.env['HIDDEN_FORMS_SHRINK'] === '0' },
  );
});
