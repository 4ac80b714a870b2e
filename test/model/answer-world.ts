import type { FixtureAnswer } from '#simulator/fixture-server.ts';
import type { Answered, ApiRecord } from './reference-lake.ts';

export function withUrl(settings: object, url: string): object {
  const { sources } = settings as { sources: readonly { name: string }[] };
  return {
    ...settings,
    sources: sources.map((source) => ({
      kind: 'signage',
      baseUrl: url,
      basePath: `/${source.name}`,
      secret: source.name,
      requestsPerSecond: null,
      ...source,
    })),
  };
}

const STATUS = { failed: 400, denied: 403, gone: 404 } as const;

export function answerTo(answers: ReadonlyMap<string, Answered>, path: string): FixtureAnswer | undefined {
  const [, source = '', , listing = '', player, child] = path.split('/');
  const own = answers.get(source);
  if (own === undefined) return undefined;
  if (listing === 'Players' && player === undefined) {
    return own.players === 'failed' ? { status: 400, body: '{}' } : { body: bodyOf(own.players) };
  }
  if (child !== 'Screens') return { body: '[]' };
  const screens = own.screens.get(decodeURIComponent(player ?? ''));
  if (screens === undefined) return { body: '[]' };
  return typeof screens === 'string' ? { status: STATUS[screens], body: '{}' } : { body: bodyOf(screens) };
}

function bodyOf(records: ReadonlyMap<string, ApiRecord>): string {
  const texts = [...records.values()].map(
    (record) =>
      `{${Object.entries(record)
        .map(([key, token]) => `${JSON.stringify(key)}:${token}`)
        .join(',')}}`,
  );
  return `[${texts.join(',')}]`;
}
