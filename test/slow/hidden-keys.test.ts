import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { someOf } from '../support/some-of.ts';

const MASK = { config: { maskSecret: 'lab/mask' }, signage: { resources: { licenses: { mask: ['Pin'] } } } };
const DROP = { signage: { resources: { licenses: { drop: ['Pin'] } } } };
/** Records without any field that may be an id. */
const licenses = (...pins: string[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: JSON.stringify(pins.map((Pin, index) => ({ Room: `R${index}`, Pin }))),
  },
});

/** The hash that whoever knows all of a record but its PIN would try. */
const guess = (pin: string) =>
  createHash('md5')
    .update([`["Room"]:"R0"`, `["Pin"]:"${pin}"`].join('\u001f'))
    .digest('hex');
const guesses = (pin: string) => [
  guess(pin),
  createHash('md5')
    .update([`["Pin"]:"${pin}"`, `["Room"]:"R0"`].join('\u001f'))
    .digest('hex'),
];

it('the key of a record without an id says nothing of what is masked', async () => {
  await using plain = await fixtureLab(licenses('4711'));
  await plain.run('2026-11-20T03:00:00Z');
  const [shown] = await plain.rows('select record_key from licenses');
  expect(guesses('4711')).toContain(shown?.record_key);

  await using lab = await fixtureLab(licenses('4711'), MASK);
  await lab.run('2026-11-20T03:00:00Z');
  const [hidden] = await lab.rows('select record_key from licenses');
  expect(guesses('4711')).not.toContain(hidden?.record_key);
  // Equal records have equal keys in the next run.
  await lab.run('2026-11-21T03:00:00Z');
  expect(await lab.rows('select record_key from licenses')).toEqual([hidden]);
});

it.each([
  ['mask', MASK],
  ['drop', DROP],
] as const)(
  'a %s that is set later keeps no old key, and tells of no record that came or went',
  async (_, hide) => {
    await using lab = await fixtureLab(licenses('4711', '0815'));
    await lab.run('2026-11-20T03:00:00Z');
    const [before] = await lab.rows("select record_key from licenses where room = 'R0'");
    await lab.run('2026-11-21T03:00:00Z', undefined, hide);
    await lab.run('2026-11-22T03:00:00Z', undefined, hide);
    expect(await lab.rows('select change from changes')).toEqual([]);
    const keys = await lab.rows('select distinct record_key from licenses_daily');
    expect(keys).toHaveLength(2);
    expect(keys).not.toContainEqual(before);
  },
);

it.each([
  ['masked', { ...MASK, signage: { resources: { licenses: { mask: ['Owner.Pin'] } } } }],
  ['dropped', { signage: { resources: { licenses: { drop: ['Owner.Pin'] } } } }],
] as const)('what stands twice under one name is %s the second time too', async (_, hide) => {
  const twice =
    '[{"Id":1,"Owner":{"Pin":"4711","Name":"A"},"Owner":{"Pin":"canary-0815","Name":"B"}},{"Id":2,"Owner":{"Pin":"1","Pin":"canary-4242"}}]';
  await using lab = await fixtureLab({ [`${SIGNAGE}/Licenses`]: { body: twice } }, hide);
  await lab.run('2026-11-20T03:00:00Z');
  expect(JSON.stringify(await lab.rows('select * from rejects'))).not.toContain('canary');
  const tables = join(lab.folder, 'lake', 'tables');
  const files = (await readdir(tables, { recursive: true })).filter((name) => name.endsWith('.parquet'));
  for (const name of someOf(files))
    expect((await readFile(join(tables, name))).includes('canary'), name).toBe(false);
});

/** A name twice in a record, and an object twice: the second values stand in rejects. */
const DOUBLED = {
  [`${SIGNAGE}/Licenses`]: {
    body: '[{"Room":"R0","Pin":"canary-4711","Note":"x","Note":"y"},{"Room":"R1","Pin":"1","Owner":{"Code":"2"},"Owner":{"Code":"canary-0815"}}]',
  },
};
const hiding = (licenses: { readonly mask?: string[]; readonly drop?: string[] }) => ({
  ...('mask' in licenses && { config: { maskSecret: 'lab/mask' } }),
  signage: { resources: { licenses } },
});

it.each([
  ['mask', hiding({ mask: ['Pin', 'Owner.Code'] })],
  ['drop', hiding({ drop: ['Pin', 'Owner.Code'] })],
] as const)(
  'what has a name twice keeps one key in all days and in rejects under a %s that is set later',
  async (_, hide) => {
    await using later = await fixtureLab(DOUBLED);
    await later.run('2026-11-20T03:00:00Z');
    await later.run('2026-11-21T03:00:00Z', undefined, hide);
    await using first = await fixtureLab(DOUBLED, hide);
    await first.run('2026-11-20T03:00:00Z');
    await first.run('2026-11-21T03:00:00Z');
    for (const rows of ['select * exclude (exported_at) from licenses_daily', 'select * from rejects'])
      expect(await later.rows(`${rows} order by all`)).toEqual(await first.rows(`${rows} order by all`));
    const joined = await later.rows(`
      select distinct raw_value from rejects
      join licenses_daily using (export_source, export_run_id, record_key)
      where reason = 'name' and column_name = 'note'`);
    expect(joined).toEqual([{ raw_value: 'y' }]);
    expect(await later.rows('select count(distinct record_key) n from licenses_daily')).toEqual([{ n: 2 }]);
    expect(await later.rows('select change from changes')).toEqual([]);
    expect(JSON.stringify(await later.rows('select * from rejects'))).not.toContain('canary');
  },
);

it('a name that stood twice once is known in all later runs, for its record has the same key in each', async () => {
  const plain = { [`${SIGNAGE}/Licenses`]: { body: '[{"Room":"R2"}]' } };
  await using lab = await fixtureLab(DOUBLED);
  await lab.run('2026-11-20T03:00:00Z');
  const keys = await lab.rows('select record_key from licenses order by all');
  await lab.run('2026-11-21T03:00:00Z', plain);
  // Days are written again: by a run that shows no name twice.
  await lab.run('2026-11-22T03:00:00Z', plain, hiding({ drop: ['Owner.Code'] }));
  await lab.run('2026-11-23T03:00:00Z', DOUBLED);
  expect(await lab.rows('select record_key from licenses order by all')).toEqual(keys);
  expect(
    await lab.rows("select record_key from licenses_daily where export_date = '2026-11-20' order by all"),
  ).toEqual(keys);
});

it.each([
  ['mask', hiding({ mask: ['PIN', 'owner.Code'] })],
  ['drop', hiding({ drop: ['PIN', 'owner.Code'] })],
] as const)('a %s hides a name in every spelling of capitals', async (_, hide) => {
  const body =
    '[{"Id":1,"Pin":"canary-1","pin":"canary-2","Owner":{"Code":"canary-3","CODE":"canary-4","Name":"A"}}]';
  await using lab = await fixtureLab({ [`${SIGNAGE}/Licenses`]: { body } }, hide);
  const run = await lab.run('2026-11-20T03:00:00Z');
  expect(run.sources[0]?.questions).toEqual([]);
  const [row] = await lab.rows('select * from licenses');
  expect(row).toMatchObject({ owner_name: 'A' });
  expect(JSON.stringify(row)).not.toContain('canary');
});

it.each([
  ['mask', hiding({ mask: ['Pin'] })],
  ['drop', hiding({ drop: ['Pin'] })],
] as const)(
  'changes that were told before a %s keep no key by which the hidden is found',
  async (_, hide) => {
    await using lab = await fixtureLab(licenses('4711'));
    await lab.run('2026-11-20T03:00:00Z');
    await lab.run('2026-11-21T03:00:00Z', licenses('0815'));
    const told = await lab.rows('select change, record_key from changes order by all');
    expect([...guesses('0815'), ...guesses('4711')]).toEqual(
      expect.arrayContaining(told.map((row) => row.record_key)),
    );
    await lab.run('2026-11-22T03:00:00Z', licenses('0815'), hide);
    expect(await lab.rows('select change, record_key from changes order by all')).toEqual(
      told.map(({ change }) => ({ change, record_key: null })),
    );
  },
);

it('rejects of an earlier run of the day keep no key by which the hidden is found', async () => {
  await using lab = await fixtureLab(DOUBLED);
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-20T09:00:00Z');
  const keys = await lab.rows("select record_key from rejects where reason = 'name'");
  expect(keys.length).toBeGreaterThan(2);
  await lab.run('2026-11-21T03:00:00Z', undefined, hiding({ drop: ['Pin', 'Owner.Code'] }));
  const left = await lab.rows('select record_key from rejects');
  for (const key of keys) expect(left).not.toContainEqual(key);
});

/** Records of which one has no id, though an id is the key of the others. */
const LACKING = {
  [`${SIGNAGE}/Licenses`]: {
    body: JSON.stringify([
      ...Array.from({ length: 250 }, (_, index) => ({ Id: `id-${index}`, Room: 'R', Pin: 'p' })),
      { Room: 'R0', Pin: '4711' },
    ]),
  },
};

describe.each([
  ['mask', hiding({ mask: ['Pin'] })],
  ['drop', hiding({ drop: ['Pin'] })],
] as const)('a %s that is set later keeps no hash of what is hidden', (_, hide) => {
  /** Every key that a table, changes or rejects holds. */
  const keysOf = async (lab: Awaited<ReturnType<typeof fixtureLab>>) => {
    const tables = ['licenses', 'licenses_daily', 'changes', 'rejects'];
    const all = await Promise.all(tables.map((table) => lab.rows(`select record_key from ${table}`)));
    return all.flat().map(({ record_key }) => String(record_key));
  };
  const found = (keys: readonly string[], pins: readonly string[]) =>
    keys.filter((key) => pins.some((pin) => guesses(pin).some((hash) => key.includes(hash))));

  it('of the record that lacks the id which the others have', async () => {
    await using lab = await fixtureLab(licenses('1'), { signage: { resources: { licenses: { id: 'Id' } } } });
    const plain = { signage: { resources: { licenses: { id: 'Id' } } } };
    const hidden = {
      ...hide,
      signage: { resources: { licenses: { ...hide.signage.resources.licenses, id: 'Id' } } },
    };
    await lab.run('2026-11-20T03:00:00Z', LACKING, plain);
    const shown = await keysOf(lab);
    expect(found(shown, ['4711']).length).toBeGreaterThan(0);
    await lab.run('2026-11-21T03:00:00Z', licenses('0815'), plain);
    await lab.run('2026-11-22T03:00:00Z', LACKING, hidden);
    await lab.run('2026-11-23T03:00:00Z', LACKING, hidden);
    const keys = await keysOf(lab);
    expect(found(keys, ['4711', '0815'])).toEqual([]);
    expect(keys.filter((key) => key === 'id-7').length).toBeGreaterThan(2);
    expect(
      await lab.rows("select change from changes where changed_at > '2026-11-21 12:00'"),
    ).not.toContainEqual({
      change: 'changed',
    });
  });

  it('where raw is gone, in earlier days; equal rows stay apart', async () => {
    const gone = { config: { rawRetentionDays: 0 } };
    await using lab = await fixtureLab(licenses('4711', '0815'), gone);
    const twins = {
      [`${SIGNAGE}/Licenses`]: {
        body: '[{"Room":"R0","Pin":"4711"},{"Room":"R0","Pin":"0815"},{"Room":"R1","Pin":"2"}]',
      },
    };
    await lab.run('2026-11-20T03:00:00Z', twins);
    expect(found(await keysOf(lab), ['4711']).length).toBeGreaterThan(0);
    const hidden = { ...hide, config: { ...('config' in hide && hide.config), rawRetentionDays: 0 } };
    await lab.run('2026-11-21T03:00:00Z', twins, hidden);
    const keys = await keysOf(lab);
    expect(found(keys, ['4711', '0815'])).toEqual([]);
    const [day] = await lab.rows(`
      select count(*) as n, count(distinct record_key) as keys
      from licenses_daily where export_date = '2026-11-20'`);
    expect(day).toEqual({ n: 3, keys: 3 });
  });
});
