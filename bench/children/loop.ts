import { childrenOf, resourceNamed, type Target } from '#lib/sources/resources.ts';
import { labConfig } from '../lab-config.ts';
import { argument, report, timed } from './report.ts';

export interface LoopArgument {
  readonly url: string;
  readonly key: string;
  readonly concurrency: number;
}

/** Requests the players and every child listing of each, several at once, like a script of ten lines. */
export async function loop(get: (url: string, key: string) => Promise<unknown>): Promise<void> {
  const { url, key, concurrency } = argument<LoopArgument>();
  const [source] = labConfig({ url, concurrency }).sources;
  if (source === undefined) throw new Error('no source');
  const ask = ({ path, query }: Target) => {
    const search = new URLSearchParams(query).toString();
    return get(`${url}${path}${search === '' ? '' : `?${search}`}`, key);
  };
  let requests = 1;
  const seconds = await timed(async () => {
    const players = (await ask(resourceNamed('players').target(source, ''))) as readonly { Id: number }[];
    const targets = players.flatMap(({ Id }) =>
      childrenOf('players').map((child) => child.target(source, String(Id))),
    );
    requests += targets.length;
    const waiting = targets.values();
    const worker = async () => {
      for (const target of waiting) await ask(target);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  });
  report({ seconds, requests });
}
