import { comparedDays, newsOf } from '../check-news.ts';
import { openBefore } from '../check-world.ts';
import { type Device, playersOf, readAt, screensOf } from '../fleet.ts';
import type { Clocks } from '../local-time.ts';
import { type Truth, truthsOf } from '../oracle.ts';
import { NO_HOURS, placeOn } from '../settings.ts';
import { common, hoursOf, union } from '../spans.ts';
import { cityOf, heardAt, silencesOf } from '../told.ts';
import { HOUR_MS, type Span, type TruePlayer } from '../world.ts';
import { between, type Fleet, grouped, type Oracle, rounded, type TrueRow } from './answer.ts';
import { openHoursOf } from './outages.ts';

/** The place of a player by the last listing. */
export function placeOf({ known }: Fleet, player: TruePlayer): string {
  return cityOf(player, known.at(-1)?.date ?? '');
}

/** What is true of the answers about players and screens, by question. */
export const OF_DEVICES: Readonly<Record<string, Oracle>> = {
  'Which players are offline, since when, by city?': ({ fleets }) =>
    fleets.flatMap((fleet) =>
      expectedPlayers(fleet)
        .filter(({ state }) => state === 'offline')
        .map(({ player, hours }) => ({
          cells: {
            city: placeOf(fleet, player),
            player_name: `P${player.id}`,
            last_access: { time: heardAt(silencesOf(player), fleet.days.at(-1)?.at ?? 0) },
            offline_days: rounded(hours / 24, 1),
            export_source: fleet.source,
            as_of: { time: fleet.days.at(-1)?.at ?? 0 },
          },
        })),
    ),

  'Which cities have the most players offline?': ({ fleets }) =>
    grouped(
      fleets.flatMap((fleet) =>
        expectedPlayers(fleet).map(({ player, state }) => ({ city: placeOf(fleet, player), state })),
      ),
      ({ city }) => ({ city }),
      (group) => ({
        offline: group.filter(({ state }) => state === 'offline').length,
        never_seen: group.filter(({ state }) => state === 'never seen').length,
        not_known: group.filter(({ state }) => state === 'unknown').length,
        expected: group.length,
      }),
    ),

  'Which players and screens went off since yesterday, and which came back?': ({ fleets }) =>
    fleets.flatMap((fleet) =>
      newsOf(fleet.world, fleet.days, 1)
        .map((line) => /^(\S+) (.+) (\S+)$/.exec(line) ?? [])
        .filter(([, , news = '']) => ['recovered', 'offline', 'off', 'stale'].includes(news))
        .map(([, level, news, key = '']) => newsRow(fleet, { news: `${level} ${news}`, key })),
    ),

  'Which players are offline again and again?': ({ fleets, clocks }) =>
    fleets.flatMap((fleet) => {
      const there = new Set(expectedPlayers(fleet).map(({ key }) => key));
      return truthsOf(fleet.world, clocks)
        .filter(({ key, level }) => level === 'player' && there.has(key))
        .flatMap((truth) => againRow(fleet.source, truth, clocks));
    }),

  'Which screens are off, silent or not known, how long, by city?': ({ fleets }) =>
    grouped(
      fleets.flatMap((fleet) =>
        screensOf(fleet.world, fleet.days)
          .filter(({ state, isExpected }) => isExpected && state !== 'on')
          .map(({ player, state, hours }) => ({ city: placeOf(fleet, player), state, hours })),
      ),
      ({ city, state }) => ({ city, state }),
      (group) => {
        // Nobody knows how long a screen has been off that does not say when it switched.
        const known = group.map(({ hours }) => hours).filter((hours) => Number.isFinite(hours));
        const longest = known.length === 0 ? null : rounded(Math.max(...known), 1);
        return { screens: group.length, longest_known_hours: longest };
      },
    ),

  'Which players have no screen at all?': ({ fleets }) =>
    fleets.flatMap((fleet) =>
      playersOf(fleet.world, fleet.days)
        .filter(
          ({ player }) => player.screens.length === 0 && readAt(player, fleet.days.slice(-1)) !== undefined,
        )
        .map(({ player, isExpected }) => ({
          // Nobody needs to ask a player that is not expected, and outcomes are those of the last run.
          mayLack: !isExpected || fleet.days.at(-1)?.runs.at(-1)?.denied.includes(player.id) !== false,
          cells: { export_source: fleet.source, player_id: `${player.id}`, player_name: `P${player.id}` },
        })),
    ),

  'What was off while its place was open?': ({ fleets, clocks }) =>
    fleets.flatMap((fleet) =>
      screensOf(fleet.world, fleet.days)
        .filter(({ state, isExpected }) => isExpected && state !== 'unknown')
        .flatMap(({ key, player }): readonly TrueRow[] => {
          const truth = fleet.screens.find((each) => each.key === key);
          const at = readAt(player, fleet.days);
          const place = placeOn(player, fleet.known.at(-1)?.date ?? '');
          if (truth === undefined || at === undefined || place === undefined) return [];
          const hours = (days: number) => {
            const open = openBefore(truth, clocks, at, days);
            const out = common(truth.out, open);
            const unsure = hoursOf(common(union([...truth.hidden, ...truth.blurred]), open));
            return between(hoursOf(common(out, truth.watched)) - unsure, hoursOf(out) + unsure);
          };
          const week = hours(7);
          if (week.to <= NO_HOURS) return [];
          const cells = {
            ...{ group_value: place, player_name: `P${player.id}`, screen_number: null },
            ...{ missed_hours_day: hours(1), missed_hours_week: week },
            ...{ sampling_error_hours_week: between(0, 168), unknown_hours_week: 'any' },
          } as const;
          const open = openBefore(truth, clocks, at, 7);
          const bound = {
            cell: 'missed_hours_week',
            is: between(
              hoursOf(common(common(truth.out, open), truth.watched)),
              hoursOf(common(truth.out, open)),
            ),
            by: 'sampling_error_hours_week',
            hidden: hoursOf(common(union(truth.hidden), open)) + 0.002,
          };
          // Nobody may know a day of a week of which something is known.
          return [
            { cells: { ...cells, missed_hours_day: 'any' }, bounds: [bound], mayLack: week.from <= NO_HOURS },
          ];
        }),
    ),
};

function expectedPlayers({ world, days }: Fleet): readonly Device[] {
  return playersOf(world, days).filter(({ isExpected }) => isExpected);
}

/**
 * A player with two outages or more that count. Two in a row may be told as one where no run saw it come back. In a place
 * with opening hours one counts if it surely took some of them: nobody knows its end better than two runs do.
 */
function againRow(source: string, truth: Truth, clocks: Clocks): readonly TrueRow[] {
  const { out, seen, watched, blurred, hidden, excused, player } = truth;
  const until = seen.at(-1) ?? 0;
  const own = out.map(([from, to]): Span => [from, Math.min(to, until)]);
  // The days on which nobody expects a player do not count, and may end an outage.
  const isWhole = excused.size === 0;
  const asOne: Span[][] = [];
  for (const span of own) {
    const before = asOne.at(-1);
    const end = before?.at(-1)?.[1] ?? 0;
    if (before === undefined || seen.some((at) => end <= at && at <= span[0])) asOne.push([span]);
    else before.push(span);
  }
  const perhaps = asOne.filter((spans) => {
    const whole: Span = [spans[0]?.[0] ?? 0, spans.at(-1)?.[1] ?? 0];
    return !isWhole || (openHoursOf(truth, [whole], clocks) ?? 1) > NO_HOURS;
  });
  const unsure = hoursOf(union([...blurred, ...hidden])) + 0.01;
  const sure = asOne.filter((spans) => {
    const end = spans.at(-1)?.[1] ?? 0;
    const gap = (seen.find((at) => at >= end) ?? end) - (seen.findLast((at) => at < end) ?? end);
    const open = openHoursOf(truth, common(spans, watched), clocks);
    return open === undefined || open > gap / HOUR_MS + NO_HOURS + 0.01;
  });
  if (perhaps.flat().length < 2) return [];
  const hours = between(hoursOf(common(sure.flat(), watched)) - unsure, hoursOf(perhaps.flat()) + unsure);
  return [
    {
      mayLack: sure.length < 2 || !isWhole,
      cells: {
        ...{ export_source: source, player_id: `${player.id}`, player_name: `P${player.id}` },
        ...{
          outages: isWhole ? between(sure.length, perhaps.flat().length) : 'any',
          hours: isWhole ? hours : 'any',
        },
      },
    },
  ];
}

function newsRow(fleet: Fleet, { news, key }: { readonly news: string; readonly key: string }): TrueRow {
  const { world, days } = fleet;
  const [device] = [...playersOf(world, days), ...screensOf(world, days)].filter((each) => each.key === key);
  const [player, at] = [device?.player, days.at(-1)?.at ?? 0];
  if (player === undefined) return { cells: {} };
  const screen = player.screens.find(({ id }) => key.endsWith(`/${id}`));
  const read = (screen && readAt(player, days.slice(-1))) ?? at;
  const reported = heardAt(silencesOf(player, screen), player.speaksForScreens === true ? at : read);
  const silent = Math.max(0, read - reported) / HOUR_MS;
  const name = key.includes('/') ? `P${player.id} · ${key}` : `P${player.id}`;
  const since_date = comparedDays(days, 1)[1]?.date ?? null;
  return {
    cells: {
      export_source: fleet.source,
      since_date,
      news,
      name,
      city: placeOf(fleet, player),
      silent_hours: between(silent - 0.01, silent + 0.01),
    },
  };
}
