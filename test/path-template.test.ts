import { expect, it } from 'vitest';
import { fillPath, parsePath, pathFault } from '#lib/sources/path-template.ts';

const CHILD = { isOfParent: true };

it.each([
  ['/Players/{id}/Screens', 'a/b ü', { path: '/Players/a%2Fb%20%C3%BC/Screens', query: {} }],
  ['/Players/{id}/Screens', '..', { path: '/Players/%2E%2E/Screens', query: {} }],
  ['/screens?playerId={id}', 'a/b&c=d', { path: '/screens', query: { playerId: 'a/b&c=d' } }],
  [
    '/screens?$filter=Player eq {id}&$top=5',
    '7',
    { path: '/screens', query: { $filter: 'Player eq 7', $top: '5' } },
  ],
  ['/screens?where=%7B%22a%22%3A1%7D', '7', { path: '/screens', query: { where: '{"a":1}' } }],
  ['/screens?of=$&{id}', '$&', { path: '/screens', query: { of: '$', '{id}': '' } }],
])('%s for the parent %s', (template, id, target) => {
  expect(fillPath(parsePath(template), id)).toEqual(target);
});

it.each(['/a/{id}/b', '/a?b={id}', '/a?b=x{id}y&c=1', '/a/{id}?b=c', '/a?page[size]=5&b={id}'])(
  '%s is the path of children',
  (template) => {
    expect(pathFault(template, CHILD)).toBeUndefined();
  },
);

it.each([
  ['/a', 'with {id} once'],
  ['/a/{id}/{id}', 'with {id} once'],
  ['/a/{id}?b={id}', 'with {id} once'],
  ['/a?{id}=b', 'with {id} once'],
  ['/a?b={id}&c={d}', 'with {id} once'],
  ['/a/{id}#b', 'without #'],
  ['/a/{id} b', 'without #'],
  ['/../{id}', 'a path such as'],
  ['a/{id}', 'a path such as'],
  ['/a?b={id}&b=2', 'each parameter once'],
  ['/a?b={id}&api_key=2', 'a path without api_key: a key belongs into the secret'],
])('%s is none', (template, why) => {
  expect(pathFault(template, CHILD)).toContain(why);
});

it('the path of a listing of its own has no {id}, and may have a query', () => {
  expect(pathFault('/players?limit=100', { isOfParent: false })).toBeUndefined();
  expect(pathFault('/players?limit={id}', { isOfParent: false })).toContain('without {id}');
});
