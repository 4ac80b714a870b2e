import { expect, it } from 'vitest';
import { withFiles } from '#lib/lake/named-files.ts';

const [OLD, NEW] = ['20261120T030000Z.1', '20261122T030000Z.1'];
const TABLES = {
  players: {
    newest: { date: '2026-11-21', run: OLD, parts: [0] },
    dates: { '2026-11-20': { run: OLD, parts: [0] }, '2026-11-21': { run: OLD, parts: [0] } },
  },
};
const written = (table: string, date: string) => ({ table, date, run: NEW, parts: [0, 1] });
const files = { run: NEW, parts: [0, 1] };

it("a date names the files that were written, and a run's own date is the newest", () => {
  const { players, screens } = withFiles(
    TABLES,
    [written('players', '2026-11-20'), written('players', '2026-11-22'), written('screens', '2026-11-22')],
    '2026-11-22',
  );
  expect(players?.newest).toEqual({ date: '2026-11-22', ...files });
  expect(players?.dates).toEqual({
    '2026-11-20': files,
    '2026-11-21': TABLES.players.dates['2026-11-21'],
    '2026-11-22': files,
  });
  expect(screens).toEqual({ newest: { date: '2026-11-22', ...files }, dates: { '2026-11-22': files } });
});

it('the newest state is the rewritten one where the run wrote the table for earlier dates alone', () => {
  const { players } = withFiles(TABLES, [written('players', '2026-11-21')], '2026-11-22');
  expect(players?.newest).toEqual({ date: '2026-11-21', ...files });
  expect(players?.dates['2026-11-20']).toEqual(TABLES.players.dates['2026-11-20']);
  const other = withFiles(TABLES, [written('players', '2026-11-20')], '2026-11-22');
  expect(other.players?.newest).toEqual(TABLES.players.newest);
});
