import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSimulator } from '#simulator/server.ts';
import { everythingIn } from '../support/everything-in.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { screenRoutes } from '../support/fleet-routes.ts';
import { killLab } from '../support/kill-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { lostValues } from '../values/lost-values.ts';

const DAY_1 = '2026-11-20T03:00:00Z';

describe('R8: no secret reaches a log, an error, a file, a state payload or another host', () => {
  it('with rotation, failures and answers that echo the key', async () => {
    await using folder = await temporaryFolder();
    const keys: string[] = [];
    let isReady = false;
    const simulator = await startSimulator({
      players: 40,
      faults: 'rotate@from=4,echo@status=401,echo:0.05@status=500,echo:0.05@status=403,reset:0.02',
      onRotate: ({ signage, backup }) => {
        keys.push(signage.apiKey, backup.accessToken);
        const secrets = JSON.stringify({ 'lab/berlin': signage, 'lab/vault': backup });
        if (!isReady) return;
        writeFileSync(join(folder.path, 'secrets.new'), secrets);
        renameSync(join(folder.path, 'secrets.new'), join(folder.path, 'secrets.json'));
      },
    });
    try {
      const lab = await killLab(folder.path, simulator);
      isReady = true;
      keys.push(simulator.secrets.signage.apiKey, simulator.secrets.backup.accessToken);
      const { said } = await lab.run(DAY_1);
      expect(simulator.stats.byFault).toMatchObject({ rotate: expect.any(Number), echo: expect.any(Number) });
      expect(keys).toHaveLength(6);
      // What Parquet has compressed is read as its readers see it.
      const places = [said, ...(await everythingIn(join(folder.path, 'lake')))];
      expect(places.length).toBeGreaterThan(30);
      for (const key of keys) expect(places.filter((text) => text.includes(key))).toEqual([]);
    } finally {
      await simulator.close();
    }
  });
});

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
    await using lab = await signageLab({});
    for (const [turn, time] of DAYS.entries()) {
      const body = `[${bodyOf(turn).join(',')}]`;
      // Each player has its own.
      const ofPlayer = (index: number) => ({ body: `${body.slice(0, -1)},{"Id":"own ${index}"}]` });
      const ids = hostile.map((id) => encodeURIComponent(id));
      const { sources } = await lab.run(time, {
        ...screenRoutes(ids, (_, index) => ofPlayer(index)),
        [`${SIGNAGE}/Players`]: { body },
      });
      expect(sources.flatMap(({ error }) => error ?? [])).toEqual([]);
      const lost = await lostValues({
        ...{ lake: lab.lake, rows: lab.rows, resource: 'players', source: 'berlin', date: time.slice(0, 10) },
        served: bodyOf(turn).map((text) => ({ parentId: null, text })),
      });
      expect(lost).toEqual([]);
      const asked = "select parent_id from outcomes where resource = 'screens' and outcome = 'ok'";
      expect((await lab.flat(asked)).toSorted()).toEqual([...hostile].sort());
    }
    for (const told of ["changes where change = 'changed'", "rejects where reason = 'type'"])
      expect(await lab.flat(`select count(*) > 0 from ${told}`)).toEqual([true]);

    expect(existsSync(target)).toBe(false);
    expect(await readdir(outside.path)).toEqual(['secret.txt']);
    const texts = await everythingIn(lab.folder);
    // An attack that was stored as text is seen, so a canary would be.
    expect(texts.some((text) => text.includes('install httpfs'))).toBe(true);
    expect(texts.filter((text) => text.includes(CANARY))).toEqual([]);
    for (const table of ['players', 'screens', 'changes', 'rejects', 'outcomes', 'schema_columns'])
      expect(JSON.stringify(await lab.rows(`from ${table}`))).not.toContain(CANARY);
  });
});
