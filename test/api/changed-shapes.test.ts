import { describe, expect, test } from 'vitest';
import { ALL, from, records } from './support/named-records.ts';
import { type Answer, fetchPages } from './support/pages.ts';

describe('a listing that was locked yesterday', () => {
  const plain = () => ({ items: ALL, version: '1.0' });

  test('and has one more harmless member today is read whole', async () => {
    const { end } = await fetchPages(plain);
    const today = await fetchPages(() => ({ ...plain(), region: 'eu', flinuv: true }), {}, end.contract);
    expect(today.end).toMatchObject({ outcome: 'ok', message: null, notes: [] });
    expect(today.end.contract?.facts).toHaveProperty('flinuv');
  });

  test.each([{ duration: '0.113 s' }, { copyright: 'Example AG' }, { status: 'OK' }])(
    'and has %o more and fewer records is whole: that speaks of no records',
    async (member) => {
      const { end } = await fetchPages(plain);
      const today = await fetchPages(() => ({ ...plain(), items: from(5), ...member }), {}, end.contract);
      expect(today.end).toMatchObject({ outcome: 'ok', errorCode: null, notes: [] });
    },
  );

  test.each([{ hasMore: true }, { total: 40 }])(
    'and has %o more today contradicts itself',
    async (member) => {
      const { end } = await fetchPages(plain);
      const today = await fetchPages(() => ({ ...plain(), ...member }), {}, end.contract);
      expect(today.end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    },
  );

  test.each([{ flinuv: true }, { flinuv: 'half of it' }])(
    'and has %o more and fewer records is in doubt',
    async (member) => {
      const { end } = await fetchPages(plain);
      const today = await fetchPages(() => ({ ...plain(), items: from(5), ...member }), {}, end.contract);
      expect(today.end).toMatchObject({ outcome: 'ok', errorCode: 'SHAPE_CHANGED' });
    },
  );
});

describe('a flag that turns', () => {
  const day =
    (says: object, count: number): Answer =>
    () => ({ items: records(0, count), ...says });

  test('next to fewer records: nothing is removed for it, until complete says that it is whole', async () => {
    const first = await fetchPages(day({ complet: true }, 27));
    expect(first.end).toMatchObject({ outcome: 'ok', errorCode: null, message: null });
    const contract = first.end.contract;
    expect((await fetchPages(day({ complet: true }, 26), {}, contract)).end.message).toBeNull();
    expect((await fetchPages(day({ complet: false }, 28), {}, contract)).end.message).toBeNull();
    const turned = await fetchPages(day({ complet: false }, 26), {}, contract);
    expect(turned.records).toHaveLength(26);
    expect(turned.end).toMatchObject({
      outcome: 'ok',
      isSure: false,
      question: {
        cures: [{ setting: 'resources.players.complete', choices: [true] }, { choices: [['complet']] }],
      },
    });
    // What is in question is not known tomorrow.
    const again = await fetchPages(day({ complet: false }, 26), {}, turned.end.contract);
    expect(again.end.question).toBeDefined();
    const declared = await fetchPages(day({ complet: false }, 26), { complete: true }, contract);
    expect(declared.end).toMatchObject({ outcome: 'ok', message: null });
    expect((await fetchPages(day({ complet: false }, 25), {}, declared.end.contract)).end.message).toBeNull();
  });
});

test('a listing that answers {} has no record, unless it had some before', async () => {
  expect((await fetchPages(() => ({}))).end).toMatchObject({ outcome: 'empty', message: null });
  const { end } = await fetchPages(() => ({ items: ALL }));
  const today = await fetchPages(() => ({}), {}, end.contract);
  expect(today.end).toMatchObject({ outcome: 'failed', errorCode: 'ENVELOPE_UNKNOWN' });
});
