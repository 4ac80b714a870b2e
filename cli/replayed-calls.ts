import type { Body } from '#lib/api/body/body.ts';
import type { ApiClient, Reply } from '#lib/api/client.ts';
import { mayPass } from '#lib/api/codes.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { RESOURCES, type ResourceName } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';

export type ReplayedCalls = ReturnType<typeof replayedCalls>;

/** Clients that make each call once, until the disposal: a check with other settings gets the same answers. */
export function replayedCalls(services: ApiServices) {
  /** `resource`: the listing that the source has at its path. */
  const calls: { source: string; resource: ResourceName | undefined; latencyMs: number }[] = [];
  const replies = new Map<string, Promise<Reply>>();
  const bodies: Body[] = [];
  const kept = async (asked: Promise<Reply>): Promise<Reply> => {
    const reply = await asked;
    if (reply.kind === 'refusal' || reply.body === null) return reply;
    bodies.push(reply.body);
    return { ...reply, body: { ...reply.body, close: () => undefined } };
  };
  const client: ApiServices['client'] = (source, place) => {
    const own = services.client(source, place);
    const get: ApiClient['get'] = async (target, options) => {
      const key = JSON.stringify([source.name, target.path, Object.entries(target.query).toSorted()]);
      const before = await replies.get(key);
      if (before !== undefined && isAsBefore(before, options)) return { ...before, attempts: 0 };
      const asked = kept(own.get(target, options));
      replies.set(key, asked);
      const reply = await asked.catch((error: unknown) => {
        replies.delete(key);
        throw error;
      });
      const resource = resourceAt(target.path, source);
      calls.push({ source: source.name, resource, latencyMs: reply.latencyMs });
      return reply;
    };
    return { ...own, get };
  };
  const close = () => {
    for (const body of bodies) body.close();
  };
  return { services: { ...services, client }, calls, [Symbol.dispose]: close };
}

/** What may pass is requested again. */
function isAsBefore(reply: Reply, { faultIn }: Parameters<ApiClient['get']>[1]): boolean {
  if (reply.kind === 'refusal') return !mayPass(reply.code);
  return faultIn === undefined || faultIn(reply) === null;
}

function resourceAt(path: string, source: Source): ResourceName | undefined {
  return RESOURCES.find(({ kind, target }) => {
    if (kind !== source.kind) return false;
    const [before = '', after] = target(source, 'PARENT').path.split('PARENT');
    return after === undefined ? path === before : path.startsWith(before) && path.endsWith(after);
  })?.name;
}
