import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/api/contract/contract.ts';
import { childFactsIn, createChildFacts, keptText } from '#lib/api/contract/fact-texts.ts';
import type { ListingEnd } from '#lib/api/listing.ts';
import { ALL, from, records } from './support/named-records.ts';
import { type Answer, fetchPages, record } from './support/pages.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

describe('a listing that was locked yesterday', () => {
  const plain = () => ({ items: ALL, version: '1.0' });

  test('and has one more harmless member today is read whole', async () => {
    const { end } = await fetchPages(plain);
    const today = await fetchPages(() => ({ ...plain(), region: 'eu', flinuv: true }), {}, end.contract);
    expect(today.end).toMatchObject({ outcome: 'ok', message: null, notes: [] });
    expect(today.end.contract?.facts).toHaveProperty('flinuv');
  });

  const WHOLE = { outcome: 'ok', errorCode: null, notes: [] };
  const CONTRADICTED = { outcome: 'failed', errorCode: 'PAGING_UNPROVEN' };
  const IN_DOUBT = { outcome: 'ok', errorCode: 'SHAPE_CHANGED' };
  test.each<readonly [what: string, today: object, due: object]>([
    ['a duration and fewer records', { duration: '0.113 s', items: from(5) }, WHOLE],
    ['a copyright and fewer records', { copyright: 'Example AG', items: from(5) }, WHOLE],
    ['a status and fewer records', { status: 'OK', items: from(5) }, WHOLE],
    ['a sign of more pages', { hasMore: true }, CONTRADICTED],
    ['a total that is not reached', { total: 40 }, CONTRADICTED],
    ['a flag of no known meaning and fewer records', { flinuv: true, items: from(5) }, IN_DOUBT],
    ['a word of no known meaning and fewer records', { flinuv: 'half of it', items: from(5) }, IN_DOUBT],
    ['one record less at another place', { items: undefined, players: ALL.slice(1) }, WHOLE],
    ['far fewer records at another place', { items: undefined, players: from(5) }, IN_DOUBT],
  ])('and has %s today', async (_, more, due) => {
    const { end } = await fetchPages(plain);
    const today = await fetchPages(() => ({ ...plain(), ...more }), {}, end.contract);
    expect(today.end).toMatchObject(due);
  });
});

const day =
  (says: object, count: number): Answer =>
  () => ({ items: records(0, count), ...says });

test('a flag that turns next to fewer records: nothing is removed for it, until complete says that it is whole', async () => {
  const first = await fetchPages(day({ complet: true }, 27));
  expect(first.end).toMatchObject({ outcome: 'ok', errorCode: null, message: null });
  const contract = first.end.contract;
  expect((await fetchPages(day({ complet: true }, 26), {}, contract)).end.message).toBeNull();
  expect((await fetchPages(day({ complet: false }, 28), {}, contract)).end.message).toBeNull();
  const turned = await fetchPages(day({ complet: false }, 26), {}, contract);
  expect(turned.records).toHaveLength(26);
  const cures = [{ setting: 'resources.players.complete', choices: [true] }, { choices: [['complet']] }];
  expect(turned.end).toMatchObject({ outcome: 'ok', isSure: false, question: { cures } });
  // What is in question is not known tomorrow.
  const again = await fetchPages(day({ complet: false }, 26), {}, turned.end.contract);
  expect(again.end.question).toBeDefined();
  const declared = await fetchPages(day({ complet: false }, 26), { complete: true }, contract);
  expect(declared.end).toMatchObject({ outcome: 'ok', message: null });
  expect((await fetchPages(day({ complet: false }, 25), {}, declared.end.contract)).end.message).toBeNull();
});

describe('a list next to the records that was empty yesterday', () => {
  const day = async (other: readonly object[], settings = {}, contract?: ListingEnd['contract']) => {
    const [players, archived] = [ALL.slice(other.length), other];
    return (await fetchPages(() => ({ players, archived }), settings, contract)).end;
  };

  test.each([{}, { items: 'players' }])('and has records today is a doubt with %j', async (settings) => {
    const { contract } = await day([], settings);
    const today = await day(ALL.slice(0, 3), settings, contract);
    const cures = [{ setting: 'resources.players.ignore', choices: [['archived']] }];
    const question = { code: 'ENVELOPE_AMBIGUOUS', cures };
    expect(today).toMatchObject({ outcome: 'ok', items: ALL.length - 3, isSure: false, question });
    const settled = await day(ALL.slice(0, 3), { ...settings, ignore: ['archived'] }, contract);
    expect(settled).toMatchObject({ errorCode: null, isSure: true });
  });

  test('whose entries are all among the records is none, and asks on no day', async () => {
    const featured = (some: readonly object[], settings = {}, contract?: ListingEnd['contract']) =>
      fetchPages(() => ({ items: ALL, featured: some }), settings, contract);
    const [one, , three, four] = ALL;
    for (const some of [[three, one], [{ ...four }], [{ Id: 2 }], ALL]) {
      const { end } = await featured(some.map(Object));
      expect(end).toMatchObject({ errorCode: null, items: ALL.length, isSure: true });
      expect((await featured(some.map(Object), {}, end.contract)).end).toMatchObject({ errorCode: null });
      expect((await featured(some.map(Object), { items: 'items' })).end).toMatchObject({ errorCode: null });
    }
    const other = { ...Object(one), Name: 'another player with this id' };
    for (const stranger of [record(900), other]) {
      const { end } = await featured([Object(three), stranger]);
      expect(end).toMatchObject({ errorCode: 'ENVELOPE_AMBIGUOUS', outcome: 'failed' });
      const set = (await featured([Object(three), stranger], { items: 'items' })).end;
      expect(set).toMatchObject({ errorCode: 'ENVELOPE_AMBIGUOUS', outcome: 'ok', isSure: false });
    }
  });

  test('and has other things today is none', async () => {
    const { contract } = await day([]);
    const groups = [{ Id: 1, Name: 'north', Path: '/north', Players: 3 }];
    expect(await day(groups, {}, contract)).toMatchObject({ errorCode: null, isSure: true });
  });
});

test('a listing that answers {} has no record, unless it had some before', async () => {
  expect((await fetchPages(() => ({}))).end).toMatchObject({ outcome: 'empty', message: null });
  const { end } = await fetchPages(() => ({ items: ALL }));
  const today = await fetchPages(() => ({}), {}, end.contract);
  expect(today.end).toMatchObject({ outcome: 'failed', errorCode: 'ENVELOPE_UNKNOWN' });
});

const facts = { note: keptText('sentence:Screens in use') };
const CONTRACT = { envelope: 'screens', paging: 'none', facts };

test.each([
  ['Player is not connected', 'EMPTY_UNPROVEN'],
  ['player offline', 'EMPTY_UNPROVEN'],
  ['No connection to the player', 'EMPTY_UNPROVEN'],
  ['offline', 'EMPTY_UNPROVEN'],
  ['No screens', null],
  ['No screens found for this player', null],
  ['0 screens', null],
  ['Empty list', null],
  ['OK', null],
  ['', null],
])(
  'a player that has no screens today, beside which is a text that nobody has seen before: message: %j',
  async (message, code) => {
    const screens = [{ Id: 1, Number: 1 }];
    const end = async (body: object) => {
      await using server = await serve((_, response) => json(response, JSON.stringify(body)));
      return (await fetchFrom(server.url, 'screens', { contract: CONTRACT })).end;
    };
    expect(await end({ screens: [], message })).toMatchObject({ outcome: 'empty', errorCode: code });
    expect(await end({ screens, message })).toMatchObject({ outcome: 'ok', errorCode: null });
    expect(await end({ screens: [], note: 'Screens in use' })).toMatchObject({ errorCode: null });
  },
);

describe('a player that has no screens today, where the texts of players with and without screens differ', () => {
  const fetchScreens = async (body: object, contract?: Contract) => {
    await using server = await serve((_, response) => json(response, JSON.stringify(body)));
    const { end } = await fetchFrom(server.url, 'screens', { ...(contract && { contract }) });
    return end;
  };
  /** What the answers of a day leave in the contract. */
  const learned = async (...bodies: readonly object[]): Promise<Contract> => {
    const facts = createChildFacts();
    for (const body of bodies) facts.add((await fetchScreens(body)).facts);
    return { envelope: 'screens', paging: 'none', facts: childFactsIn(facts.text() ?? '{}') };
  };
  const FULL = { screens: [{ Id: 1, Number: 1 }], message: 'Screens retrieved' };
  const none = (message: string) => ({ screens: [], message });

  test('is asked about with a third text, and not with those of the day before', async () => {
    const contract = await learned(FULL, FULL, none('No screens assigned'));
    const offline = await fetchScreens(none('Player is not connected'), contract);
    expect(offline).toMatchObject({ outcome: 'empty', errorCode: 'EMPTY_UNPROVEN' });
    for (const message of ['No screens assigned', 'Screens retrieved', 'No screens found'])
      expect(await fetchScreens(none(message), contract)).toMatchObject({ errorCode: null });
  });

  test('is none if either text names the player', async () => {
    const ofPlayer = (name: string) => ({ ...FULL, message: `Screens of ${name}` });
    const contract = await learned(ofPlayer('Lobby'), ofPlayer('Office'), none('No screens of Cafe'));
    expect(await fetchScreens(none('No screens of Bistro'), contract)).toMatchObject({ errorCode: null });
    const named = await learned(FULL, none('No screens of Cafe'), none('No screens of Lobby'));
    expect(await fetchScreens(none('No screens of Bistro'), named)).toMatchObject({ errorCode: null });
  });
});
