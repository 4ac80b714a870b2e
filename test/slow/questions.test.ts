import { describe, expect, it } from 'vitest';
import { QUESTIONS, SQL_OF_QUESTIONS } from '../support/sql-of-questions.ts';
import { clocksOf } from '../truth/local-time.ts';
import { askedOf, type Oracle, unlike } from '../truth/questions/answer.ts';
import { PLAYER } from '../truth/questions/history.ts';
import { questionLab } from '../truth/questions/labs.ts';
import { OF_ACCOUNTS } from '../truth/questions/of-accounts.ts';
import { OF_DEVICES } from '../truth/questions/of-devices.ts';
import { OF_GOODS } from '../truth/questions/of-goods.ts';
import { OF_SOURCES } from '../truth/questions/of-sources.ts';
import { OF_UPTIME } from '../truth/questions/of-uptime.ts';
import { OVER_TIME } from '../truth/questions/over-time.ts';
import { answersTo } from '../truth/truth-lab.ts';

/** `LABS=20 WORLD_SEED=7 TEST_TIER=slow npx vitest run test/slow/questions.test.ts` */
const LABS = Number(process.env['LABS'] ?? 2);
const SEED = Number(process.env['WORLD_SEED'] ?? 1);
/** Of the second fleet its answer is known exactly, if it has outages. */
const OUTAGES = 'How long until a screen is back, and how long until the next outage?';
const ZONES = ['Europe/Berlin', 'UTC', 'America/New_York'] as const;

const questions = new Map(
  [...SQL_OF_QUESTIONS].map(([question, sql]) => [question, sql.replace('100004', String(PLAYER))] as const),
);

const ORACLES: Readonly<Record<string, Oracle>> = {
  ...{ ...OF_DEVICES, ...OF_GOODS, ...OF_ACCOUNTS },
  ...{ ...OF_SOURCES, ...OF_UPTIME, ...OVER_TIME },
};

let exact = 0;

describe('the pages of questions', () => {
  it('has SQL for each question, and a truth for each answer', () => {
    expect(questions.size).toBeGreaterThanOrEqual(20);
    const titles = [...QUESTIONS.matchAll(/^### (.+)$/gm)].map(([, question]) => question);
    expect([...questions.keys()]).toEqual(titles);
    expect(Object.keys(ORACLES).toSorted()).toEqual(titles.toSorted());
  });

  it.each(Array.from({ length: LABS }, (_, index) => SEED * 1000 + 900 + index))(
    'answers truly of three fleets and two accounts that share ids, with failed days: lab %i',
    async (lab) => {
      const { worlds, vaults } = questionLab(lab);
      const zone = ZONES[lab % ZONES.length] ?? 'UTC';
      const answers = await answersTo(questions, { worlds, vaults }, zone);
      const asked = askedOf(worlds, vaults, clocksOf(zone));
      const faults = [...answers].flatMap(([question, rows]) =>
        unlike(rows, ORACLES[question]?.(asked) ?? []).map((fault) => `${question} ${fault}`),
      );
      expect(faults).toEqual([]);
      exact += (OF_UPTIME[OUTAGES]?.(asked) ?? []).filter(({ cells }) => cells['outages'] !== 'any').length;
    },
  );

  it('has a place of which all outages are known', () => {
    expect(exact).toBeGreaterThan(0);
  });
});
