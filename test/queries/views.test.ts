import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { openTables } from '#cli/open-tables.ts';
import { ask } from '#cli/query.ts';
import { QUERIES } from '#cli/views.ts';
import { viewsOf } from '#lib/views/lake-views.ts';
import { readViews } from '#lib/views/view-file.ts';
import { fixedNames } from './fixed-names.ts';
import { viewLab } from './view-lab.ts';

interface TrinoParser {
  validate(sql: string): readonly { readonly message: string }[];
}

/** The parser is published for bundlers, so it is bundled. */
async function trinoParser(): Promise<TrinoParser> {
  const { outputFiles } = await build({
    stdin: { contents: "export { TrinoSQL } from 'dt-sql-parser';", resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const code = outputFiles[0]?.text ?? '';
  const { TrinoSQL } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return new TrinoSQL();
}

describe('views', () => {
  it('are read by the grammar of Trino, as they stand and as they are shaped for an API', async () => {
    const parser = await trinoParser();
    const files = await readViews(QUERIES);
    expect(files.length).toBeGreaterThan(8);
    const asks = (sql: string) =>
      parser.validate(`create or replace view v as ${sql}`).map(({ message }) => message);
    for (const { name, sql } of files) expect([name, asks(sql)]).toEqual([name, []]);
    const bare = viewsOf(files, { version: 1, tables: {} }, 'lake');
    for (const { name, sql } of bare.views) expect([name, asks(sql)]).toEqual([name, []]);
    expect(asks('select a from b where')).not.toEqual([]);
  });

  it('name in their header every column of the API that they read', async () => {
    for (const { name, sql, needs, uses } of await readViews(QUERIES)) {
      const known = new Set([...needs, ...uses].map(({ column }) => column));
      const body = sql.replaceAll(/--.*$/gm, '');
      for (const [, table = '', column = ''] of body.matchAll(
        /\b(players|screens|licenses|storages|slots|pending|dailies)\.(\w+)/g,
      )) {
        const isFixed = fixedNames.has(column) || new RegExp(`as "?${column}"?\\b`).test(body);
        expect([name, table, column, isFixed || known.has(column)]).toEqual([name, table, column, true]);
      }
    }
  });

  it('are left out where the API does not give what they need, with the column and the reason', async () => {
    await using lab = await viewLab();
    // No screens, no licences, no slots; a time without a zone, which stays text and a question.
    await lab.run('2026-11-21T03:00:00Z', {
      players: [{ Id: 1, Name: 'P1', LastAccess: '2026-11-21 02:00:00' }],
    });
    using tables = await openTables(lab.lake);
    const missing = new Map(tables.leftOut.map((each) => [each.name, each.missing]));
    const columnsOf = (name: string) => missing.get(name)?.map(({ column }) => column);
    expect(columnsOf('backup_usage')).toEqual(['backup_slots.size', 'backup_slots.storage_used']);
    expect(columnsOf('license_utilisation')).toEqual(['licenses.total_count', 'licenses.available_count']);
    expect(columnsOf('screen_status')).toEqual(['screens.is_on', 'screens.last_update']);
    expect(columnsOf('screen_uptime')).toEqual(['screens.is_on', 'screens.last_update']);
    expect(columnsOf('player_health')).toEqual(['players.last_access']);
    expect(columnsOf('stuck_transfers')).toBeUndefined();
    expect(missing.get('player_health')?.[0]?.reason).toMatch(/^it is varchar, not timestamp/);
    expect(missing.get('screen_status')?.[0]?.reason).toBe('the API does not give it');
    await expect(ask(tables, 'select * from screen_status')).rejects.toThrow(
      'the view screen_status is left out here: it needs screens.is_on (the API does not give it)',
    );
    // The others answer all the same.
    for (const { name } of tables.views) await tables.query(`select * from ${name}`);
    expect(
      (await ask(tables, 'select players, screens, players_never_seen from daily_trend')).rows,
    ).toContainEqual([1, 0, 1]);
  });

  it('read numbers, flags and counts that an installation writes as text or as 0 and 1', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', {
      players: [{ Id: 1, Name: 'P1', LastAccess: '2026-11-21T02:00:00Z', IsInstalled: 1, IsLicensed: 0 }],
      screens: { 1: [{ Id: 1, IsOn: 1, LastUpdate: '2026-11-21T02:00:00Z' }] },
      licenses: [{ Type: 'A', TotalCount: '10', AvailableCount: '4' }],
    });
    expect(await lab.rows('select state from screen_status')).toEqual([{ state: 'on' }]);
    expect(await lab.rows('select is_installed, is_licensed from player_health')).toEqual([
      { is_installed: true, is_licensed: false },
    ]);
    expect(await lab.rows('select used, used_share from license_utilisation')).toEqual([
      { used: 6, used_share: 0.6 },
    ]);
  });

  it('are asked by name, and what was meant is named', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] });
    using tables = await openTables(lab.lake);
    await expect(ask(tables, 'select * from screen')).rejects.toThrow(
      'no table screen; did you mean screens?',
    );
    await expect(ask(tables, 'select * from data_qualty')).rejects.toThrow('did you mean data_quality?');
    await expect(ask(tables, 'select * from player_dayly')).rejects.toThrow('did you mean players_daily?');
    await expect(ask(tables, 'select * from zzz')).rejects.toThrow(/^no table zzz; there are app_groups, /);
  });
});
