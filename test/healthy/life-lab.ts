import { rm } from 'node:fs/promises';
import { EXIT } from '#cli/exit.ts';
import { type ExpectedDay, expectedOf } from './expected.ts';
import { type FleetDay, fleetDays } from './fleet.ts';
import type { Said } from './forms/form.ts';
import { DAYS, type Life } from './life.ts';
import { configOf, lifeServer } from './life-server.ts';
import { type Alarm, judgeRun, judgeTables, type Printed } from './oracle.ts';
import { committedIn } from './read-tables.ts';
import { momentOf } from './records.ts';
import { serveDay } from './serve-life.ts';

export interface Living {
  /** @default 10 */
  readonly days?: number;
  /** What a server does to an answer before it sends it: for the proof that the oracle can fail. */
  readonly tamper?: (said: Said, at: { readonly day: number; readonly url: string }) => Said;
  /** Changes what the oracle expects, which proves in another way that the oracle can fail. */
  readonly believe?: (expected: ExpectedDay) => ExpectedDay;
}

/** How a life went: no alarm is a calm one. */
export interface Lived {
  readonly alarms: readonly Alarm[];
}

export interface LifeLab extends AsyncDisposable {
  live(life: Life, living?: Living): Promise<Lived>;
}

export async function lifeLab(): Promise<LifeLab> {
  const server = await lifeServer();
  return {
    live: async (life, { days = DAYS, tamper, believe } = {}) => {
      const lake = server.newLake();
      const alarms: Alarm[] = [];
      const shown = new Map<number, ExpectedDay>();
      const fleets = fleetDays(life);
      for (let day = 0; day < days; day++) {
        const fleet: FleetDay | undefined = fleets.next().value ?? undefined;
        if (fleet === undefined) break;
        const served = serveDay({ life, day, fleet, origin: server.origin });
        server.serve((url) => {
          const said = served.answer(url);
          return said && (tamper?.(said, { day, url }) ?? said);
        });
        try {
          const summary = await server.run(lake, day, configOf(life, server.origin));
          const printed: Printed = JSON.parse(JSON.stringify(summary));
          const outcomes = await (await committedIn(lake)).newest('outcomes');
          alarms.push(...judgeRun({ day, exitCode: EXIT[summary.status], printed, outcomes }));
        } catch (error) {
          const says = error instanceof Error ? (error.stack ?? '') : String(error);
          alarms.push({ day, kind: 'crash', says });
        }
        // What a run says that it does not know is not a wrong table.
        if (alarms.some((alarm) => alarm.day === day)) continue;
        const expected = believe?.(expectedOf(life, fleet)) ?? expectedOf(life, fleet);
        const wrong = await judgeTables({ day, committed: await committedIn(lake), expected });
        if (wrong.length === 0) shown.set(day, expected);
        alarms.push(...wrong);
      }
      for (const [day, expected] of shown) {
        const date = new Date(momentOf(day)).toISOString().slice(0, 10);
        alarms.push(...(await judgeTables({ day, committed: await committedIn(lake), expected, date })));
      }
      await rm(lake, { recursive: true, force: true });
      return { alarms };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
