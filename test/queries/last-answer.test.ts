import { expect, it } from 'vitest';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { type Day, signageViewLab, type ViewLab, viewLab } from './view-lab.ts';

const LastAccess = '2026-11-20T02:50:00Z';
const screens = { 1: [{ Id: 1, IsOn: true, LastUpdate: LastAccess }], 2: [] };
const transfers = { 1: [{ Id: 1, FileName: 'a.mp4', FileSize: 9, Transferred: 1 }], 2: [] };
const all: Day = {
  players: [
    { Id: 1, LastAccess },
    { Id: 2, LastAccess },
  ],
  screens,
  pending_file_transfers: transfers,
  licenses: [{ Type: 'A', TotalCount: 2, AvailableCount: 1 }],
};
const none = { 1: 'denied', 2: 'denied' } as const;

async function said(lab: ViewLab, name: string): Promise<string> {
  using tables = await openTables(lab.lake);
  return ((await notKnown(tables)).get(name) ?? []).map((each) => told(each)).join(' ');
}

it.each([
  ['pending_file_transfers', { pending_file_transfers: none }],
  ['licenses', { licenses: 'denied' }],
  ['players', { refused: true }],
] as const)(
  '%s that a later run of the day was refused were last answered on that day',
  async (name, refused) => {
    await using lab = await signageViewLab();
    await lab.run('2026-11-20T03:00:00Z', all);
    await lab.run('2026-11-21T03:00:00Z', all);
    await lab.run('2026-11-21T15:00:00Z', { ...all, ...refused });
    expect(await said(lab, name)).toContain('last answered on 2026-11-21');
    // The next day is refused too: the last answer stays where it was.
    await lab.run('2026-11-22T03:00:00Z', { ...all, ...refused });
    expect(await said(lab, name)).toContain('last answered on 2026-11-21');
  },
);

it('a listing without records that a later run of the day was refused was last answered on that day', async () => {
  await using lab = await signageViewLab();
  const empty = { ...all, licenses: [], pending_file_transfers: {} };
  await lab.run('2026-11-20T03:00:00Z', empty);
  await lab.run('2026-11-21T03:00:00Z', empty);
  await lab.run('2026-11-21T15:00:00Z', { ...empty, licenses: 'denied', pending_file_transfers: none });
  expect(await said(lab, 'licenses')).toContain('last answered on 2026-11-21');
  expect(await said(lab, 'pending_file_transfers')).toContain('last answered on 2026-11-21');
});

it('a source that later runs of the day left out was last answered on that day', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', all);
  await lab.run('2026-11-21T03:00:00Z', all);
  await lab.run('2026-11-21T09:00:00Z', { ...all, pending_file_transfers: none });
  await lab.run('2026-11-21T15:00:00Z', all, ['vault']);
  expect(await said(lab, 'pending_file_transfers')).toContain('last answered on 2026-11-21');
});

it('what was refused all day was last answered the day before', async () => {
  await using lab = await signageViewLab();
  await lab.run('2026-11-20T03:00:00Z', all);
  const refused: Day = { ...all, licenses: 'denied', pending_file_transfers: none };
  await lab.run('2026-11-21T03:00:00Z', refused);
  await lab.run('2026-11-21T15:00:00Z', refused);
  expect(await said(lab, 'licenses')).toContain('last answered on 2026-11-20');
  expect(await said(lab, 'pending_file_transfers')).toContain('last answered on 2026-11-20');
});
