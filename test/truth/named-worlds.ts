import { speaking, type TruePlayer, type TrueScreen, type World, type WorldRun } from './world.ts';

const at = (time: string) => Date.parse(`2026-10-${time}:00Z`);

const screen: TrueScreen = { id: 1, startsOn: true, switches: [], silences: [], isDated: true };
const player: TruePlayer = {
  id: 1,
  silences: [],
  cities: ['Bern', 'Bern'],
  customs: [undefined, undefined],
  movesOn: undefined,
  comesOn: undefined,
  leavesOn: undefined,
  mark: undefined,
  screens: [screen],
};

const ALWAYS = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
const EVER = { from: '', until: '9999' };

/** The same in each world, so that one lab has them all. */
const TIMES = ['22T03:00', '22T16:00', '23T03:00', '24T03:00', '25T03:00', '26T03:00'].map(at);

interface Changed {
  readonly player?: Partial<TruePlayer>;
  readonly screen?: Partial<TrueScreen>;
  /** By the place of the run. */
  readonly runs?: Readonly<Record<number, Partial<WorldRun>>>;
}

function world(seed: number, { player: ofPlayer, screen: ofScreen, runs = {} }: Changed): World {
  return {
    seed,
    days: 9,
    players: [{ ...player, ...ofPlayer, screens: [{ ...screen, ...ofScreen }] }],
    runs: TIMES.map((time, index) => ({ at: time, how: 'asked', denied: [], ...runs[index] })),
  };
}

/** What random worlds found, or what a person would ask first. */
export const NAMED_WORLDS: Readonly<Record<string, World>> = {
  'a screen that was dark between two runs and came back': world(1, {
    screen: { switches: [at('23T08:00'), at('23T20:00')] },
  }),
  'a screen that was dark between two runs of an API that dates nothing': world(2, {
    screen: { switches: [at('23T08:00'), at('24T20:00')], isDated: false },
  }),
  'a screen that went dark, of which a failed day tells nothing': world(3, {
    screen: { switches: [at('23T08:00')] },
    runs: { 3: { how: 'refused' } },
  }),
  'a screen that is off for days, and then moves to where other hours are open': world(20, {
    player: { cities: ['Nancy', 'Bern'], movesOn: '2026-10-26' },
    screen: { switches: [at('22T10:00')] },
  }),
  'a screen that a run saw off at its last report, before days without an answer': world(24, {
    player: { silences: [[at('21T03:00'), at('22T16:00')]] },
    screen: { switches: [at('20T10:00')], isDated: false },
    runs: {
      0: { how: 'refused' },
      ...Object.fromEntries([2, 3, 4].map((index) => [index, { how: 'refused' }])),
    },
  }),
  'a day on which one run was denied a player, and the last was refused all': world(25, {
    runs: { 0: { denied: [1], queues: [1] }, 1: { how: 'refused' } },
  }),
  'a source that was left out for days': world(4, {
    screen: { switches: [at('24T08:00')] },
    runs: { 3: { how: 'left out' }, 4: { how: 'left out' } },
  }),
  'a first run that could not read the screens, and told of the players': world(5, {
    runs: { 0: { denied: [1] } },
  }),
  'a run within a day that could not read the screens': world(6, {
    screen: { switches: [at('22T10:00')] },
    runs: { 0: { denied: [1] }, 1: { denied: [1] } },
  }),
  'a player that was silent over the night on which clocks go back': world(7, {
    player: { silences: [[at('24T12:00'), at('25T12:00')]] },
  }),
  'a dark screen that is removed': world(8, {
    screen: { switches: [at('22T20:00')] },
    player: { leavesOn: '2026-10-24' },
  }),
  'a fleet that did not answer on its newest day': world(10, {
    runs: { 5: { how: 'refused' } },
  }),
  'a player that was silent for eight hours and a half': world(11, {
    player: { silences: [[at('25T18:30'), at('26T04:00')]] },
  }),
  'a screen that says to be on, and reports through a player that is silent': world(26, {
    player: speaking({ ...player, silences: [[at('22T12:00'), ALWAYS[1]]] }),
  }),
  'a dark screen that reports through a player that was silent when a run could not read it': world(27, {
    player: speaking({ ...player, silences: [[at('22T01:00'), at('22T14:00')]] }),
    screen: { switches: [at('23T08:00')] },
    runs: { 1: { denied: [1] } },
  }),
  'a player that was never seen': world(12, { player: { silences: [ALWAYS] } }),
  'a player that was seen first on the fourth day': world(13, {
    player: { silences: [[ALWAYS[0], at('24T08:00')]] },
  }),
  'a player with transfers and a dark screen that nobody expects': world(14, {
    player: { mark: { as: { IsLicensed: false }, ...EVER } },
    screen: { switches: [at('22T20:00')] },
  }),
  'a dark screen of a player that was deleted on the last day': world(15, {
    player: { mark: { as: { BoxState: 'Deleted' }, ...EVER, from: '2026-10-26' } },
    screen: { switches: [at('23T08:00')] },
  }),
  'a player that came with a dark screen, and whose screens nobody read at first': world(19, {
    player: { comesOn: '2026-10-24' },
    screen: { switches: [at('23T08:00')] },
    runs: { 3: { denied: [1] } },
  }),
  'a player that left after a day on which nobody read its screens': world(16, {
    player: { leavesOn: '2026-10-26' },
    runs: { 4: { denied: [1] } },
  }),
  'a player that was seen for an hour alone': world(17, {
    player: {
      silences: [
        [ALWAYS[0], at('25T12:00')],
        [at('25T13:00'), ALWAYS[1]],
      ],
    },
  }),
  'a player that stays at its place by another of its groups': world(18, {
    player: { cities: ['Hof', 'Bern'], customs: ['Bern', 'Hof'], movesOn: '2026-10-24' },
  }),
  'a player that nobody expected while it was silent': world(28, {
    player: {
      silences: [[at('21T12:00'), at('25T12:00')]],
      mark: { as: { IsLicensed: false }, ...EVER, until: '2026-10-26' },
    },
  }),
  'a player whose screens the newest run alone could read': world(29, {
    runs: Object.fromEntries([0, 1, 2, 3, 4].map((index) => [index, { denied: [1] }])),
  }),
  'a screen that was silent over a run, and then switched off and on before the next': world(30, {
    screen: { silences: [[at('22T17:00'), at('23T10:00')]], switches: [at('23T15:00'), at('23T20:00')] },
  }),
  'a screen that was silent, and switched off and on while runs had no answer': world(31, {
    screen: { silences: [[at('22T17:00'), at('24T10:00')]], switches: [at('25T15:00'), at('25T20:00')] },
    runs: { 3: { how: 'refused' }, 4: { how: 'refused' } },
  }),
  'a player that came after a day without an answer': world(32, {
    player: { comesOn: '2026-10-26' },
    runs: { 4: { how: 'refused' } },
  }),
  'a dark screen whose player is removed and comes back': world(33, {
    screen: { switches: [at('22T20:00'), at('25T20:00')] },
    player: { leavesOn: '2026-10-24', returnsOn: '2026-10-25' },
  }),
  'a player that was silent, is removed, and comes back with a screen that went off since': world(37, {
    player: { silences: [[at('22T10:00'), at('24T12:00')]], leavesOn: '2026-10-24', returnsOn: '2026-10-26' },
    screen: { switches: [at('25T08:00')] },
  }),
  'a player that comes back, of which nobody expects anything at first': world(34, {
    player: {
      leavesOn: '2026-10-23',
      returnsOn: '2026-10-24',
      mark: { as: { IsLicensed: false }, from: '2026-10-24', until: '2026-10-26' },
    },
  }),
  'a player that comes back, and whose screens nobody can read': world(35, {
    player: { leavesOn: '2026-10-24', returnsOn: '2026-10-26' },
    runs: { 5: { denied: [1] } },
  }),
  'a dark screen that says on some days that it is off, and nothing on others': world(36, {
    screen: { switches: [at('22T20:00')], isDated: false, unsaid: [at('23T03:00'), at('25T03:00')] },
  }),
  'an API that begins to say when a player was seen': world(38, {
    player: { silences: [[at('22T10:00'), at('23T20:00')]], accessIn: [at('23T12:00'), ALWAYS[1]] },
  }),
  'an API that begins to say whether a screen is on': world(39, {
    screen: { switches: [at('22T20:00'), at('24T08:00')], stateIn: [at('23T12:00'), ALWAYS[1]] },
  }),
  'an API that begins to say when a screen switched': world(40, {
    screen: { switches: [at('22T20:00'), at('24T20:00')], datedIn: [at('23T12:00'), ALWAYS[1]] },
  }),
  'an API that no longer says when a player was seen': world(42, {
    player: { silences: [[at('22T10:00'), at('23T20:00')]], accessIn: [ALWAYS[0], at('24T12:00')] },
  }),
  'an API that says of screens when their player was seen, and did not always': world(41, {
    player: speaking({ ...player, screens: [screen], accessIn: [at('23T12:00'), ALWAYS[1]] }),
    screen: { switches: [at('22T20:00'), at('24T20:00')] },
  }),
  'a player that moves to a place with other hours': world(9, {
    screen: { switches: [at('22T20:00')] },
    player: { cities: ['Bern', 'Nancy'], movesOn: '2026-10-24' },
  }),
};
