import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FixtureAnswer } from '#simulator/fixture-server.ts';
import { type Day, signageViewLab } from '../queries/view-lab.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

const DAY = '2026-11-20T03:00:00Z';
const encoded = (as: string) => ({ 'content-type': 'application/json', 'content-encoding': as });
const MIB = 1 << 20;

/** What one player's Screens may answer; no other player may lose a row by it. */
const ANSWERS: Readonly<Record<string, FixtureAnswer>> = {
  'a web page': { body: '<!doctype html><title>Sign in</title>' },
  'a body that ends in its middle': { body: '[{"Id":1},{"Id"' },
  'brackets 50,000 deep': { body: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
  'an object 50,000 deep in a record': {
    body: `[{"Id":1,"A":${'{"A":'.repeat(50_000)}1${'}'.repeat(50_000)}}]`,
  },
  'a bomb of gzip': { headers: encoded('gzip'), body: gzipSync(Buffer.alloc(80 * MIB, 0x20)) },
  'no gzip though it says so': { headers: encoded('gzip'), body: '[]' },
  'an encoding nobody asked for': { headers: encoded('rot13'), body: '[]' },
  'a charset that is none': { headers: { 'content-type': 'application/json; charset=x-none' }, body: '[]' },
  'bytes that are no text': { body: Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d]) },
  'an error with 200': { body: '{"result":"error","error":{"code":"not_authorized"}}' },
  'one number': { body: '1' },
  'names of the language': {
    body: '[{"Id":1,"__proto__":{"a":1},"constructor":1,"toString":null,"then":1}]',
  },
  'a key twice': { body: '[{"Id":1,"Id":2,"id":3}]' },
  'half of a pair': { body: '[{"Id":1,"Name":"\\ud800"}]' },
  'a number of 10,000 digits': { body: `[{"Id":1,"Number":${'9'.repeat(10_000)}}]` },
};

const screensOf = (player: number) => `${SIGNAGE}/Players/${player}/Screens`;
const hostile = Object.entries(ANSWERS);
/** So many that what one of the others says is less than a hundredth of all, and decides no type. */
const HEALTHY = Array.from({ length: 200 }, (_, at) => 1001 + at);

describe('R10: one answer hurts its own item alone, one source its own rows alone', () => {
  it('whatever the screens of some players are, those of the others are whole', async () => {
    const players = [...hostile.map((_, at) => at + 1), ...HEALTHY].map((Id) => ({ Id }));
    await using lab = await fixtureLab({
      [`${SIGNAGE}/Players`]: { body: JSON.stringify(players) },
      ...Object.fromEntries(hostile.map(([, answer], at) => [screensOf(at + 1), answer])),
      ...Object.fromEntries(HEALTHY.map((id) => [screensOf(id), { body: `[{"Id":7,"Number":${id}}]` }])),
    });
    await lab.run(DAY);
    const ends = 'select count(*) as n from outcomes where resource';
    expect(await lab.rows(`${ends} = 'screens' and parent_id::int < 1000`)).toEqual([{ n: hostile.length }]);
    const isOther = "(resource <> 'screens' or parent_id::int > 1000)";
    const odd = await lab.rows(`select * from outcomes where outcome not in ('ok', 'empty') and ${isOther}`);
    expect(odd).toEqual([]);
    const numbers = await lab.flat('select number from screens where player_id::int > 1000 order by 1');
    expect(numbers).toEqual(HEALTHY);
  });

  it.each([
    ['refuses the key', { status: 401, body: '{"Message":"denied"}' }],
    ['has a web page for every listing', { body: '<!doctype html>' }],
    ['closes in the middle of every listing', { body: '[{"Id"' }],
  ])('a source that %s costs the other none of its rows', async (_, answer) => {
    const storages = ['A', 'B'].map((customer_name, index) => ({ id: index + 1, customer_name }));
    const slot = (id: number) => ({ body: `{"result":"success","data":[{"id":${id},"size":10}]}` });
    await using lab = await fixtureLab({
      [`${SIGNAGE}/Players`]: answer,
      [`${SIGNAGE}/Licenses`]: answer,
      [`${SIGNAGE}/AppGroups`]: answer,
      '/1/backup': { body: JSON.stringify({ result: 'success', data: storages }) },
      '/0/backup/1/slot': slot(11),
      '/0/backup/2/slot': slot(12),
    });
    const { status, sources } = await lab.run(DAY);
    expect(status).toBe('partial');
    const ends = sources.flatMap((source) => [source.name, source.status, source.coverage === 1]);
    expect(ends).toEqual([...['berlin', 'failed', false], ...['vault', 'complete', true]]);
    expect(await lab.flat('select storage_id, id from backup_slots order by id')).toEqual(['1', 11, '2', 12]);
  });

  describe.each([
    ['berlin', 'munich'],
    ['munich', 'berlin'],
  ])('%s, whose screens are as the views need them, beside %s', (good, odd) => {
    const FINE = screens(13, { IsOn: true, LastUpdate: '2026-11-20T02:00:00Z' });
    const ODD = screens(211, { IsOn: 'ready', LastUpdate: 'just now' });
    const NOTHING_WRONG = { [good]: 'on', [odd]: 'unknown' };
    const dayOf = (its: Day, others: Day): Day =>
      good === 'berlin' ? { ...its, twins: others } : { ...others, twins: its };

    it('keeps its types and states on the first day and after it, and the other alone is asked about', async () => {
      await using lab = await signageViewLab({}, { twins: true });
      const shown = 'select export_source, string_agg(distinct state) from screen_status group by 1';
      const states = async () =>
        Object.fromEntries((await lab.cells(shown)).map(([source, said]) => [source, said]));
      for (const time of [DAY, '2026-11-21T03:00:00Z']) {
        const { sources } = await lab.run(time, dayOf(FINE, ODD));
        expect(await states(), time).toEqual({ ...NOTHING_WRONG, ...(time !== DAY && { [good]: 'stale' }) });
        const said = (name: string) => sources.find((source) => source.name === name);
        expect([...(said(good)?.questions ?? []), ...(said(good)?.drift ?? [])], time).toEqual([]);
        const columns = said(odd)?.questions.map(({ column }) => column);
        expect(new Set(columns), time).toEqual(new Set(['is_on', 'last_update']));
        const rejects = `
          select export_source, column_name, raw_value, reason, sum("count")::integer from rejects
          where export_run_id = '${runIdOf(time)}' and column_name in ('is_on', 'last_update') group by all order by all`;
        const own = (column: string, value: string) => [odd, column, value, 'type', 211];
        const due = [...own('is_on', 'ready'), ...own('last_update', 'just now')];
        expect(await lab.flat(rejects), time).toEqual(due);
      }
      const counts = 'select export_source, count(*)::integer from screens group by 1 order by 2';
      expect(await lab.flat(counts)).toEqual([good, 13, odd, 211]);
    });

    it('has text where all are odd in the same way', async () => {
      await using lab = await signageViewLab({}, { twins: true });
      await lab.run(DAY, dayOf(ODD, ODD));
      expect(await lab.flat('select distinct is_on, last_update from screens')).toEqual([
        'ready',
        'just now',
      ]);
      const rejects = "select * from rejects where column_name in ('is_on', 'last_update')";
      expect(await lab.cells(rejects)).toEqual([]);
    });
  });
});

/** A day of one player with so many screens. */
const screens = (count: number, said: object): Day => ({
  players: [{ Id: 1 }],
  screens: { 1: Array.from({ length: count }, (_, at) => ({ Id: at + 1, ...said })) },
});

const runIdOf = (time: string) => time.replaceAll(/[-:]/g, '');
