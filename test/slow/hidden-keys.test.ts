import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

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
  for (const name of files) expect((await readFile(join(tables, name))).includes('canary'), name).toBe(false);
});
