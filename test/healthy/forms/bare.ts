import { type Asked, bare, type Form, type Said } from './form.ts';

/** Lists without anything around them. */
export const BARE: readonly Form[] = [
  {
    name: 'bare',
    seenIn: 'the signage platform itself: ASP.NET Web API 2',
    spelling: 'pascal',
    absent: 'omitted',
    size: null,
    answer: bare,
    single: (body) => ({ body }),
  },
  {
    name: 'bare, camelCase',
    seenIn: 'Express res.json(list), ASP.NET Core controllers',
    spelling: 'camel',
    absent: 'null',
    size: null,
    answer: bare,
  },
  {
    name: 'bare, snake_case',
    seenIn: 'Rails render json, Flask jsonify, Django REST Framework without pagination',
    spelling: 'snake',
    absent: 'null',
    size: null,
    answer: bare,
  },
  {
    name: 'bare, unknown parameters refused',
    seenIn: 'NestJS with ValidationPipe({ forbidNonWhitelisted: true })',
    spelling: 'camel',
    absent: 'null',
    size: null,
    answer: (asked) => refusedUnknown([...asked.query.keys()]) ?? bare(asked),
  },
  {
    name: 'keyed map',
    seenIn: "PHP: json_encode of Laravel's keyBy('id'); an empty one is []",
    spelling: 'snake',
    absent: 'null',
    size: null,
    // One entry cannot be told from an object.
    least: 2,
    answer: keyed,
    plain: keyed,
  },
];

function keyed({ rows, keys }: Asked): Said {
  return {
    body: rows.length === 0 ? [] : Object.fromEntries(rows.map((row, index) => [keys[index] ?? '', row])),
  };
}

function refusedUnknown(names: readonly string[]): Said | undefined {
  const unknown = names.filter((name) => name !== 'account_id');
  if (unknown.length === 0) return undefined;
  const message = unknown.map((name) => `property ${name} should not exist`);
  return { status: 400, body: { statusCode: 400, message, error: 'Bad Request' } };
}
