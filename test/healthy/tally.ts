import type { Life } from './life.ts';
import type { Lived } from './life-lab.ts';

/** Counts how lives went, by form and by class of alarm. */
export function createTally() {
  const forms = new Map<string, { lives: number; calm: number }>();
  const kinds = new Map<
    string,
    { lives: number; days: number; first: number; forms: Set<string>; says: string }
  >();
  let lives = 0;
  let calm = 0;
  let cpu = 0;
  let requests = 0;
  let days = 0;
  return {
    add(life: Life, lived: Lived) {
      const isCalm = lived.alarms.length === 0;
      lives++;
      if (isCalm) calm++;
      cpu += lived.cpu;
      requests += lived.requests;
      days += 10;
      const names = new Set(life.sources.map(({ form }) => form));
      for (const name of names) {
        const row = forms.get(name) ?? { lives: 0, calm: 0 };
        forms.set(name, { lives: row.lives + 1, calm: row.calm + (isCalm ? 1 : 0) });
      }
      for (const [kind, alarms] of Map.groupBy(lived.alarms, (alarm) => alarm.kind)) {
        const row = kinds.get(kind) ?? {
          lives: 0,
          days: 0,
          first: 0,
          forms: new Set(),
          says: alarms[0]?.says ?? '',
        };
        row.lives++;
        row.days += alarms.length;
        if (alarms.some(({ day }) => day === 0)) row.first++;
        for (const name of names) row.forms.add(name);
        kinds.set(kind, row);
      }
    },
    figures: () => ({ lives, calm, kinds: new Map([...kinds].map(([kind, row]) => [kind, row.lives])) }),
    text: () => {
      const byLives = [...kinds].toSorted(([, a], [, b]) => b.lives - a.lives);
      const byForm = [...forms].toSorted(([, a], [, b]) => a.calm / a.lives - b.calm / b.lives);
      return [
        `${lives} lives, ${calm} calm, ${lives - calm} with alarms; ${requests} requests, ${(cpu / 1000 / days).toFixed(2)} s of CPU a day`,
        '',
        'alarms: lives (of which on day 1), days',
        ...byLives.map(
          ([kind, row]) =>
            `  ${row.lives} (${row.first}), ${row.days}  ${kind}  in ${[...row.forms].slice(0, 6).join(' | ')}\n      ${row.says.slice(0, 260)}`,
        ),
        '',
        'forms: calm of lives',
        ...byForm.map(([name, row]) => `  ${row.calm} of ${row.lives}  ${name}`),
      ].join('\n');
    },
  };
}
