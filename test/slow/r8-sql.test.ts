import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lostValues } from '../dialects/support/lost-values.ts';
import { everythingIn } from '../support/everything-in.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;
const CANARY = 'the canary that sings in a file outside the lake';

/** What would read the file `secret`, or write `target`, wherever it is taken for SQL, a path or a pattern. */
const attacks = (secret: string, target: string) => [
  `' || (select content from read_text('${secret}')) || '`,
  `'; copy (select 1) to '${target}'; --`,
  `"; copy (select 1) to '${target}'; --`,
  `" from read_text('${secret}') --`,
  `') from read_text('${secret}') --`,
  `x'), (select content from read_text('${secret}')), ('`,
  `\`; attach '${target}' as other; --`,
  `\\'; install httpfs; load httpfs; --`,
  `$$ || (select content from read_text('${secret}')) || $$`,
  `*/ (select content from read_text('${secret}')) /*`,
  secret,
  `../../../../../../../../${secret}`,
  `file://${secret}`,
  `${secret}*`,
  '../../state/head.json',
  `{{read_text('${secret}')}}`,
  '-- ',
];

describe('R8: what an API says is never SQL nor a path', () => {
  it('as key, value and id it reads and writes no file outside the lake', async () => {
    await using outside = await temporaryFolder();
    const secret = join(outside.path, 'secret.txt');
    const target = join(outside.path, 'target');
    await writeFile(secret, CANARY);
    const hostile = attacks(secret, target);
    const bodyOf = (turn: number) => {
      // On the second day keys and ids have other values, and one of them has another type.
      const turned = hostile.map((_, index) => hostile[(index + turn) % hostile.length] ?? '');
      return hostile.map((id, index) =>
        JSON.stringify({
          Id: id,
          Name: turned[index],
          ...Object.fromEntries(hostile.map((key, at) => [key, turned[at]])),
          Nested: Object.fromEntries(hostile.map((key, at) => [key, turn === 0 ? at : turned[at]])),
        }),
      );
    };
    const screens = (id: string) => `${SIGNAGE}/Players/${encodeURIComponent(id)}/Screens`;
    await using lab = await signageLab({});
    for (const [turn, time] of DAYS.entries()) {
      const body = `[${bodyOf(turn).join(',')}]`;
      const { sources } = await lab.run(time, {
        [`${SIGNAGE}/Players`]: { body },
        // Each player has its own.
        ...Object.fromEntries(
          hostile.map((id, index) => [screens(id), { body: `${body.slice(0, -1)},{"Id":"own ${index}"}]` }]),
        ),
      });
      expect(sources.flatMap(({ error }) => error ?? [])).toEqual([]);
      const lost = await lostValues({
        lake: lab.lake,
        rows: lab.rows,
        resource: 'players',
        source: 'berlin',
        served: bodyOf(turn).map((text) => ({ parentId: null, text })),
        date: time.slice(0, 10),
      });
      expect(lost).toEqual([]);
      const asked = await lab.rows(
        `select parent_id from outcomes where resource = 'screens' and outcome = 'ok'`,
      );
      expect(asked.map((row) => row.parent_id).sort()).toEqual([...hostile].sort());
    }
    expect(await lab.rows("select count(*) > 0 as has from changes where change = 'changed'")).toEqual([
      { has: true },
    ]);
    expect(await lab.rows("select count(*) > 0 as has from rejects where reason = 'type'")).toEqual([
      { has: true },
    ]);

    expect(existsSync(target)).toBe(false);
    expect(await readdir(outside.path)).toEqual(['secret.txt']);
    const texts = await everythingIn(lab.folder);
    // An attack that was stored as text is seen, so a canary would be.
    expect(texts.some((text) => text.includes('install httpfs'))).toBe(true);
    expect(texts.filter((text) => text.includes(CANARY))).toEqual([]);
    for (const table of ['players', 'screens', 'changes', 'rejects', 'outcomes', 'schema_columns'])
      expect(JSON.stringify(await lab.rows(`from ${table}`))).not.toContain(CANARY);
  }, 60_000);
});
