import { type Routes, routesBy, SIGNAGE } from '../support/fixture-lab.ts';
import { type Day, idTextOf, numberOf, recordsOf } from './records-of-shape.ts';
import { answerOf } from './serve-shape.ts';
import type { Shape } from './shape.ts';

const PLAYERS = `${SIGNAGE}/Players`;

/** What an API of that shape answers on a day; `url` is its server's. */
export function routesOf(
  shape: Shape,
  { day, url: origin }: { readonly day: Day; readonly url: () => string },
): Routes {
  return routesBy((url) => {
    const [path = ''] = url.split('?', 1);
    if (path === PLAYERS) return answerOf(shape, { day, origin: origin(), url });
    const [, id, listing] = /\/Players\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const salt = saltOf(shape, day, decodeURIComponent(id));
    if (salt === null) return { status: 404, body: '{}' };
    if (listing !== 'Screens') return undefined;
    return answerOf(screensOf(shape, salt), { day, origin: origin(), url, salt });
  });
}

/** Screens come as players do, fewer of them; the answer of a player is not an error. The first player has as many as there are players. */
export function screensOf(shape: Shape, salt = 1): Shape {
  const isMap = shape.wrapping.startsWith('map');
  const counts = shape.counts.map((count) =>
    salt === 1 ? count : ((count + 5 * salt) % 7) + (isMap ? 2 : 0),
  );
  const [first = 0, second = 0] = counts;
  return {
    ...shape,
    // PlayerId in a screen names its player.
    id: shape.id === 'PlayerId' ? 'Id' : shape.id,
    counts: [first, second],
    error: null,
    late: null,
  };
}

function saltOf(shape: Shape, day: Day, id: string): number | null {
  const index = recordsOf(shape, day).findIndex((_, at) => idTextOf(shape, numberOf(at)) === id);
  return index === -1 ? null : index + 1;
}

/** Players and their screens that the tables are to have. */
export function dueOf(shape: Shape, day: Day): readonly string[] {
  const players = recordsOf(shape, day).map((player, index) => ({
    id: idTextOf(shape, numberOf(index)),
    label: player['Label'],
  }));
  const screens = players.flatMap(({ id }, index) =>
    recordsOf(screensOf(shape, index + 1), day, index + 1).map((screen) => `${id}/${screen['Label']}`),
  );
  return [...players.map(({ id, label }) => `${id} ${label}`), ...screens];
}

export function sameTexts(rows: readonly string[], due: readonly string[]): boolean {
  return rows.length === due.length && [...rows].sort().join('\n') === [...due].sort().join('\n');
}
