import { describe, expect, it } from 'vitest';
import { describeRun } from '#cli/print-run.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

const DAY = '2026-11-20T03:00:00Z';
const transfer = (file: string) => ({ File: file, Bytes: 5 });

/** Players 1, 2, … with these answers about their transfers. */
function transfers(...answers: readonly object[]): Routes {
  return {
    [`${SIGNAGE}/Players`]: { body: JSON.stringify(answers.map((_, index) => ({ Id: index + 1 }))) },
    ...Object.fromEntries(
      answers.map((answer, index) => [
        `${SIGNAGE}/Players/${index + 1}/PendingFileTransfers`,
        { body: JSON.stringify(answer) },
      ]),
    ),
  };
}

const OUTCOMES =
  "select parent_id, outcome, error_code from outcomes where resource = 'pending_file_transfers' order by parent_id::int";

it('a map of one entry is read where another player proved a map; what is no record never becomes one', async () => {
  await using lab = await signageLab(
    transfers(
      { c: transfer('3.mp4') },
      { a: transfer('1.mp4'), b: transfer('2.mp4') },
      {},
      { Message: { File: 'none', Bytes: 0 } },
      { phase: { code: 7, text: 'late' } },
    ),
  );
  const { sources } = await lab.run(DAY);
  const unknown = { outcome: 'failed', error_code: 'ENVELOPE_UNKNOWN' };
  expect(await lab.rows(OUTCOMES)).toEqual([
    { parent_id: '1', outcome: 'ok', error_code: null },
    { parent_id: '2', outcome: 'ok', error_code: null },
    { parent_id: '3', outcome: 'empty', error_code: null },
    { parent_id: '4', ...unknown },
    { parent_id: '5', ...unknown },
  ]);
  expect(await lab.rows('select player_id, key, file from pending_file_transfers order by file')).toEqual([
    { player_id: '2', key: 'a', file: '1.mp4' },
    { player_id: '2', key: 'b', file: '2.mp4' },
    { player_id: '1', key: 'c', file: '3.mp4' },
  ]);
  expect(sources[0]).toMatchObject({ status: 'failed', outcomes: { failed: 2 } });
  const asked = lab.server.requests.filter(({ path }) => path.endsWith('/PendingFileTransfers'));
  const times = [1, 2, 3, 4, 5].map((id) => asked.filter(({ path }) => path.includes(`/${id}/`)).length);
  // Once more, and no more, where the first answer proved nothing.
  expect(times).toEqual([2, 1, 1, 2, 2]);
});

it('where nobody proved a map it stays an error, asked once', async () => {
  await using lab = await signageLab({
    ...transfers({ c: transfer('3.mp4') }, { d: transfer('4.mp4') }),
    [`${SIGNAGE}/Players/2/Screens`]: { body: '{"x":{"Id":1}}' },
  });
  const summary = await lab.run(DAY);
  expect((await lab.rows(OUTCOMES)).map(({ error_code }) => error_code)).toEqual([
    'ENVELOPE_UNKNOWN',
    'ENVELOPE_UNKNOWN',
  ]);
  const asked = lab.server.requests.filter(({ path }) => path.endsWith('/PendingFileTransfers'));
  expect(asked.length).toBe(2);
  expect(describeRun(summary, { lake: 'lake' }).join('\n')).toMatch(
    /^berlin: ENVELOPE_UNKNOWN: .* Also: screens ENVELOPE_UNKNOWN \(1\)\.$/m,
  );
});

it('the proof may come in a later pass than what it decides', { timeout: 60_000 }, async () => {
  let calls = 0;
  const routes = transfers({ c: transfer('3.mp4') }, {});
  const late = () => {
    calls += 1;
    return calls <= 5
      ? { status: 500, body: '{}' }
      : { body: JSON.stringify({ a: transfer('1.mp4'), b: transfer('2.mp4') }) };
  };
  await using lab = await signageLab({ ...routes, [`${SIGNAGE}/Players/2/PendingFileTransfers`]: late });
  const { status } = await lab.run(DAY);
  expect({ status, calls }).toMatchObject({ status: 'complete' });
  expect(await lab.rows('select count(*) n from pending_file_transfers')).toEqual([{ n: 3 }]);
});

describe('a player without the list that its siblings have', () => {
  const beside = { ok: true, revision: 10263, site: 'north' };
  const listed = (id: number, more: object = {}) => ({
    body: JSON.stringify({ ...beside, ...more, result: [{ Id: id * 10 }, { Id: id * 10 + 1 }] }),
  });
  const ids = [1, 2, 3, 4, 5, 6, 7];
  const fleet = (sixth: object) =>
    fleetRoutes(
      ids.map((Id) => ({ Id })),
      (id) => (id === 6 ? { body: JSON.stringify(sixth) } : listed(id, { revision: 10_000 + id })),
    );

  it('has none where all that it says is next to their lists, on each day', async () => {
    await using lab = await signageLab(fleet(beside));
    for (const day of ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'])
      expect((await lab.run(day)).sources[0]).toMatchObject({ status: 'complete', questions: [] });
    expect(await lab.rows('select count(*)::int as n from screens')).toEqual([{ n: 12 }]);
  });

  it.each([
    ['another value', { ...beside, site: 'offline' }, ['site']],
    ['another member', { ...beside, backlog: 17 }, ['backlog']],
  ])('is asked about where it has %s, with the setting that settles it', async (_, sixth, names) => {
    await using lab = await signageLab(fleet(sixth));
    const [source] = (await lab.run('2026-11-20T03:00:00Z')).sources;
    expect(source?.status).not.toBe('complete');
    expect(source?.questions[0]?.cures[0]).toMatchObject({
      setting: 'resources.screens.ignore',
      choices: [names],
    });
    const ignore = { signage: { resources: { screens: { ignore: names } } } };
    const [again] = (await lab.run('2026-11-21T03:00:00Z', undefined, ignore)).sources;
    expect(again).toMatchObject({ status: 'complete', questions: [] });
  });
});
