import * as z from 'zod';
import { number, settings, text } from '../sources/settings.ts';

export const share = (what: string) => number(`${what}, from 0 to 1`, 0, 1);

/** Each is a row for each player and day in the views, and a choice on the page. */
const MOST_GROUPS = 5;
const groups = `a list of at most ${MOST_GROUPS} fields or columns of players, each once, such as ["City", "CustomId"]`;

const mute = 'a list such as [{"id": "berlin/4711", "reason": "is being rebuilt", "end": "2026-12-31"}]';
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** What cuts figures, and what of them needs no attention; all of it is optional. */
export const figureSettings = {
  /** Fields or columns of players that cut figures. */
  groups: z
    .array(text(groups, /\S/), { error: groups })
    .max(MOST_GROUPS, { error: groups })
    .refine((names) => new Set(names.map((name) => name.toLowerCase())).size === names.length, {
      error: groups,
    })
    .default(['City']),
  /** When the places of a group are open. */
  hours: text('the path of a CSV file with the columns group, weekday, from, to, zone').exactOptional(),
  /** By a value of a group, alone or as `city=Hof`, or by `*`: the wanted share of time with its screens on. */
  targets: z
    .record(z.string(), share('a share'), {
      error: 'must have shares by group, such as {"Berlin": 0.98, "*": 0.95}',
    })
    .exactOptional(),
  /** Players, screens and storages that need no attention for a time. */
  mute: z
    .array(
      settings('mute', {
        id: text('a player_key, screen_key or storage_key, such as "berlin/4711"', /^[^/]+\/./),
        reason: text('the reason, in words', /\S/),
        end: text('the last day, such as "2026-12-31"', DATE),
      }),
      { error: mute },
    )
    .exactOptional(),
};
