import { named } from '../../support/named.ts';
import type { NamedMutant } from './named-mutant.ts';

/** What tells a wrong clock from a right one, and what a wrong one may not take. */
export const CLOCKS: readonly NamedMutant[] = named<Omit<NamedMutant, 'name'>>({
  'raw-by-the-clock-alone': {
    fault: 'a clock that is years ahead removes all earlier raw answers',
    file: 'lib/commit/expire-raw.ts',
    from: ' && exportDate(runId, timeZone) < oldestDate',
    to: '',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'raw-days-forgotten': {
    fault: 'raw answers are kept for ever where the daily tables keep fewer days',
    file: 'lib/commit/expire-raw.ts',
    from: 'return [...dates, ...runs.map((runId) => exportDate(runId, timeZone))];',
    to: 'return [...dates, ...runs.slice(0, 0)];',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'clock-without-memory': {
    fault: 'a server that was always as wrong is taken for a clock that changed',
    file: 'lib/plan/refuse-wrong-clock.ts',
    from: '[0, ...before].some',
    to: '[0].some',
    noticedBy: ['test/slow/clocks.test.ts'],
  },
  'clock-without-schedule': {
    fault: 'a scheduled run is refused where all servers begin to be wrong',
    file: 'lib/plan/refuse-wrong-clock.ts',
    from: 'return due !== undefined && isNear(clock - due.getTime());',
    to: 'return false;',
    noticedBy: ['test/slow/clocks.test.ts'],
  },
  'clock-of-one-source': {
    fault: 'one wrong server of two stops the run',
    file: 'lib/plan/refuse-wrong-clock.ts',
    from: 'told.some(({ agrees }) => agrees)',
    to: 'told.every(({ agrees }) => agrees)',
    noticedBy: ['test/slow/clocks.test.ts'],
  },
  'clock-by-own-name': {
    fault: 'a run without --run-time speaks for its own clock',
    file: 'cli/run.ts',
    from: 'isByOwnClock: runTime === undefined',
    to: 'isByOwnClock: false',
    noticedBy: ['test/slow/clocks.test.ts'],
  },
});
