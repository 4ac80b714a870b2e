import { describe, expect, it } from 'vitest';
import { lakeKey, parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

const RUN = '2026-11-20T03:00:00Z';

/** A lake from which calls of collect die as often as told, when they put a batch of screens away. */
function dying(lake: Lake, dies: (place: { pass: number; batch: string }) => boolean): Lake {
  return {
    ...lake,
    moveIn: async (key, path, condition) => {
      const parsed = parseKey(key);
      if (parsed?.kind === 'raw' && parsed.source === 'berlin' && parsed.resource === 'screens') {
        const batch = await lake.read(lakeKey('batch', parsed));
        if (dies({ pass: parsed.pass, batch: String(batch?.bytes) })) throw new Error('the call died');
      }
      await lake.moveIn(key, path, condition);
    },
  };
}

describe('a source whose only batch is lost', () => {
  it('ends after two sweeps, and the outcomes say what happened', async () => {
    await using lab = await exportLab({ players: 30 }, SIGNAGE_ALONE);
    const passes = new Set<number>();
    const lake = dying(lab.lake, ({ pass }) => {
      passes.add(pass);
      return true;
    });
    await lab.run(RUN, { lake });
    expect([...passes]).toEqual([0, 1, 2]);
    const sql = "select distinct message from outcomes where error_code = 'NOT_COLLECTED'";
    expect(await lab.flat(sql)).toEqual([expect.stringContaining('Every try of collect')]);
  });

  it('is cut smaller: a player whose answer ends each call is lost alone', async () => {
    await using lab = await exportLab({ players: 40 }, SIGNAGE_ALONE);
    let id: string | undefined;
    const lake = dying(lab.lake, ({ batch }) => {
      const parents: string[] = JSON.parse(batch).groups[0].parents;
      id ??= parents[7];
      return id !== undefined && parents.includes(id);
    });
    const summary = await lab.run(RUN, { lake });
    expect(summary.sources[0]?.outcomes.failed).toBe(2);
  });
});
