import { type Routes, SIGNAGE } from './fixture-lab.ts';

type Id = number | string;
/** The records of a player's screens, or another answer to the call for them. */
type ScreensOf<I extends Id> = (id: I, index: number) => readonly object[] | Routes[string];

/** The screens of each of these players, below the path of their API. */
export function screenRoutes<I extends Id>(
  ids: readonly I[],
  screensOf: ScreensOf<I>,
  api: string = SIGNAGE,
) {
  const answerOf = (own: readonly object[] | Routes[string]) =>
    typeof own === 'object' && 'length' in own ? { body: JSON.stringify(own) } : own;
  return Object.fromEntries(
    ids.map((id, index) => [`${api}/Players/${id}/Screens`, answerOf(screensOf(id, index))]),
  );
}

/** These players and the screens of each. */
export function fleetRoutes<I extends Id>(
  players: readonly { readonly Id: I }[],
  screensOf: ScreensOf<I>,
  api: string = SIGNAGE,
): Routes {
  const ids = players.map(({ Id }) => Id);
  return { [`${api}/Players`]: { body: JSON.stringify(players) }, ...screenRoutes(ids, screensOf, api) };
}
