import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { type Dice, dice, hash } from '#simulator/dice.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * DAY_MS;

/**
 * What the header Date of a server is worth. `right`: a few minutes off at most. `off`: always as wrong. `breaks`: right until
 * a step, then wrong. `local`: the local time of Berlin, as if it were GMT. `kept`: a cache answers, and says by Age for how long it has kept it. `none`: without a Date.
 */
export interface Server {
  readonly name: string;
  readonly kind: 'right' | 'off' | 'local' | 'breaks' | 'kept' | 'none';
  /** ms that its clock is ahead; of `kept` how long the answer lay in the cache. */
  readonly off: number;
  /** The first step at which one that breaks is wrong. */
  readonly from: number;
}

export interface Step {
  /** True ms since the step before. */
  readonly gap: number;
  /** `schedule`: this machine's clock says that it is due. `hand`: somebody runs it. `named`: and says the time. */
  readonly by: 'schedule' | 'hand' | 'named';
  /** ms that this machine's clock is ahead of the truth. */
  readonly ahead: number;
}

/** A short life of an installation. The clock of its machine is right, or goes wrong at a step and is put right. */
export interface Life {
  readonly begin: number;
  readonly schedule: string;
  readonly timeZone: string;
  readonly rawRetentionDays: number;
  readonly dailyRetentionDays: number | null;
  readonly servers: readonly Server[];
  readonly steps: readonly Step[];
}

const SCHEDULES = [
  'cron(0 3 * * ? *)',
  'rate(1 day)',
  'rate(15 minutes)',
  'cron(30 2 ? * MON *)',
  'cron(0 3 1 * ? *)',
  'cron(0 3 29 2 ? *)',
];
const ZONES = ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/St_Johns'];
/** An ordinary day, one before a leap day, one before the clocks change in Europe, and the last of a year. */
const BEGINS = ['2026-11-20', '2028-02-27', '2026-10-23', '2026-12-30'].map((day) => Date.parse(day));
const OFFS = [
  -30 * YEAR_MS,
  -400 * DAY_MS,
  -7 * HOUR_MS,
  -2 * HOUR_MS,
  3 * HOUR_MS,
  45 * DAY_MS,
  9 * YEAR_MS,
];
/** Of years, of days, the 29th of February among them, of zones and half a zone. */
const JUMPS = [
  ...[-10, -3, 3, 10].map((years) => years * YEAR_MS),
  ...[-1461, -366, -31, -1, 1, 2, 31, 366, 1461].map((days) => days * DAY_MS),
  ...[-14, -5.5, 5.5, 13].map((hours) => hours * HOUR_MS),
];
const GAPS = [20 * MINUTE_MS, 5 * HOUR_MS, DAY_MS, DAY_MS, DAY_MS, 3 * DAY_MS, 32 * DAY_MS];

/** Of lives with an even number the clock is right; of the others it goes wrong. */
export function drawLife(seed: number, number: number): Life {
  const roll = dice(hash(seed, 211, number));
  const place = {
    begin: roll.pick(BEGINS) + Math.floor(roll.next() * 1440) * MINUTE_MS,
    schedule: roll.pick(SCHEDULES),
    timeZone: roll.pick(ZONES),
    rawRetentionDays: roll.pick([0, 1, 2, 30]),
    dailyRetentionDays: roll.pick([null, null, 2, 40]),
  };
  return number % 2 === 0 ? { ...place, ...rightClock(roll) } : { ...place, ...wrongClock(roll, place) };
}

function drawServer(roll: Dice, name: string, kind: Server['kind']): Server {
  const off = {
    right: Math.round((roll.next() - 0.5) * 40) * MINUTE_MS,
    off: roll.pick(OFFS),
    breaks: roll.pick(OFFS),
    kept: roll.pick([40, 150, 70 * 60]) * MINUTE_MS,
    none: 0,
    local: 0,
  };
  return { name, kind, off: off[kind], from: 1 + Math.floor(roll.next() * 4) };
}

function drawSteps(roll: Dice): readonly Step[] {
  return Array.from({ length: 5 }, () => ({
    gap: roll.pick(GAPS),
    by: roll.pick(['schedule', 'hand', 'hand'] as const),
    ahead: 0,
  }));
}

function rightClock(roll: Dice): Pick<Life, 'servers' | 'steps'> {
  const kinds = ['right', 'off', 'local', 'local', 'breaks', 'breaks', 'kept', 'none'] as const;
  const servers = ['a', 'b']
    .slice(roll.next() < 0.5 ? 1 : 0)
    .map((name) => drawServer(roll, name, roll.pick(kinds)));
  const steps = drawSteps(roll).map((step, index): Step => {
    const breaks = servers.some(({ kind, from }) => kind === 'breaks' && from === index);
    const isKnown = servers.some(({ kind }) => kind !== 'breaks' && kind !== 'none');
    // Nothing but the schedule, or who runs it, can tell that all servers went wrong at once.
    return breaks && !isKnown && step.by === 'hand' ? { ...step, by: 'named' } : step;
  });
  return { servers, steps };
}

/** The clock is wrong at one step or two, the first one perhaps; then it is right again. */
function wrongClock(
  roll: Dice,
  { dailyRetentionDays }: Pick<Life, 'dailyRetentionDays'>,
): Pick<Life, 'servers' | 'steps'> {
  // What nobody can tell is believed, and each such run takes a day: with few days there is soon no way back.
  const mayBeSilent = dailyRetentionDays !== 2;
  const first = mayBeSilent && roll.next() < 0.3 ? 'none' : roll.pick(['right', 'kept'] as const);
  const second = first === 'none' ? 'none' : roll.pick(['right', 'off', 'breaks', 'none'] as const);
  const servers = [
    drawServer(roll, 'a', first),
    ...(roll.next() < 0.5 ? [drawServer(roll, 'b', second)] : []),
  ];
  const ahead = roll.pick(JUMPS);
  const from = first === 'none' ? Math.floor(roll.next() * 3) : 1 + Math.floor(roll.next() * 2);
  const until = from + 1 + Math.floor(roll.next() * 2);
  const steps = drawSteps(roll).map((step, index) =>
    index >= from && index < until ? { ...step, ahead } : step,
  );
  return { servers, steps };
}
