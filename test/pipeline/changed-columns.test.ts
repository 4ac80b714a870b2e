import { describe, expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { pathText } from '#lib/schema/columns/assign-names.ts';
import { readSchema } from '#lib/schema/schema.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z', '2026-11-23T03:00:00Z'];
const IDS = Array.from({ length: 12 }, (_, index) => index + 1);

const players = (used: (id: number) => unknown) =>
  IDS.map((Id) => ({ Id, Name: `P${Id}`, DiskUsed: used(Id), Contact: `Mara Gold ${Id}` }));
const bytes = players((id) => id * 5_000_000_000);
const gigabytes = players((id) => id * 5);

async function said(lab: ViewLab, day: number, records: readonly object[]) {
  const { status, sources } = await lab.run(DAYS[day] ?? '', { players: records });
  return { status, questions: sources[0]?.questions ?? [] };
}

const CHANGED = 'resources.players.columns.disk_used.changed';
const QUESTION = {
  code: 'COLUMN_CHANGED',
  source: 'berlin',
  resource: 'players',
  column: 'disk_used',
  says: 'of 12 values that were compared, 12 are about 1000000000 times smaller than before 2026-11-21',
  cures: [{ setting: CHANGED, choices: ['2026-11-21'], when: 'you know of this change, and it is right' }],
};

describe('R12: values that mean something else than the day before are told on that day', () => {
  it('the run is partial on each day, until the values are as they were', async () => {
    await using lab = await signageViewLab();
    expect(await said(lab, 0, bytes)).toEqual({ status: 'complete', questions: [] });
    expect(await said(lab, 1, gigabytes)).toEqual({ status: 'partial', questions: [QUESTION] });
    expect(await said(lab, 2, gigabytes)).toEqual({ status: 'partial', questions: [QUESTION] });
    expect(await said(lab, 3, bytes)).toEqual({ status: 'complete', questions: [] });
  });

  it.each([
    ['2026-11-20', 'partial'],
    ['2026-11-21', 'complete'],
  ])('the config says that changes until %s are known', async (changed, status) => {
    const resources = { players: { columns: { disk_used: { changed } } } };
    await using lab = await signageViewLab({ signage: { resources } });
    await said(lab, 0, bytes);
    expect(await said(lab, 1, gigabytes)).toMatchObject({ status });
  });

  it.each([
    [60, 'partial'],
    [1000, 'partial'],
    [10, 'complete'],
    [50, 'complete'],
    [100, 'complete'],
  ])('a number that all records share is %i times as large: %s', async (factor, status) => {
    await using lab = await signageViewLab();
    const all = (size: number) => players(() => size);
    await said(lab, 0, all(150_000_000_000));
    expect(await said(lab, 1, all(150_000_000_000 * factor))).toMatchObject({ status });
  });

  it('what is dropped is not kept to be compared', async () => {
    const resources = { players: { drop: ['DiskUsed', 'Contact'] } };
    await using lab = await signageViewLab({ signage: { resources } });
    await said(lab, 0, bytes);
    const stored = await readHead(lab.lake);
    const schema = await readSchema(lab.lake, stored?.head.schema ?? '');
    expect(Object.keys(schema.tables['players']?.samples?.['berlin']?.traits ?? {})).toEqual(
      ['Id', 'Name'].map((name) => pathText([name])),
    );
  });
});
