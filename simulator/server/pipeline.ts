import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from '../faults/engine.ts';
import { type Exchange, pause } from '../faults/fault.ts';
import type { ServedKind } from '../kind.ts';
import type { SimulatorOptions } from '../options.ts';
import type { Answer, Call } from '../profiles/answer.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Snapshot } from '../world/world.ts';
import type { Access } from './access.ts';
import type { Route } from './routes.ts';
import { send } from './send.ts';
import { type Stats, tally } from './stats.ts';

/** What may change between two requests, and is read for each. */
export interface State {
  readonly profile: Profile;
  readonly access: Access;
  readonly stats: Stats;
  readonly secondOrigin: () => Promise<string>;
  today: Snapshot;
  since: SinceFaults;
}

/** The faults, and what has happened since they were set. */
export interface SinceFaults {
  readonly faults: Faults;
  requests: number;
  /** Requests of each target. */
  readonly attempts: Map<string, number>;
  /** The APIs whose key a fault has changed. */
  readonly rotated: Set<ServedKind>;
}

/** Answers one request: faults before the answer, access, the listing, its rendering, faults of sending. */
export async function answerRequest(
  state: State,
  options: SimulatorOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const due = performance.now() + (options.latencyMs ?? 0);
  const { faults } = state.since;
  const found = state.profile.route(request.url?.split('?', 1)[0] ?? '');
  const route = 'status' in found ? undefined : found;
  tally(state.stats.byResource, route?.resource ?? 'unknown');
  const exchange = exchangeOf(state, request, response, route);
  const answer =
    (await givenAnswer(faults, exchange)) ??
    ('status' in found ? found : await listed(state, options, exchange, found));
  // The time of making the answer is part of the wait.
  const wait = Math.round(due - performance.now() - TIMER_LATE_MS);
  if (wait > 0) await pause(wait);
  if (response.destroyed) return;
  for (const { act } of faults.met('send', exchange)) return act(exchange, answer);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  await send(response, answer, answer.gzip === true && /\bgzip\b/.test(accepted));
}

async function givenAnswer(faults: Faults, exchange: Exchange): Promise<Answer | undefined> {
  for (const { act, settings } of faults.met('answer', exchange)) {
    const given = await act(exchange, settings);
    if (given !== undefined) return given;
  }
  return undefined;
}

/** Node's timers have whole milliseconds, and are so late on average (20,000 answers of 20 ms, 50 at once). */
const TIMER_LATE_MS = 0.4;

/** The refusal, or the listing that the route names. */
async function listed(
  { profile, access, today, since: { faults } }: State,
  { pageSize }: SimulatorOptions,
  exchange: Exchange,
  route: Route,
): Promise<Answer> {
  const { request, target } = exchange;
  if (request.method !== 'GET') {
    const message = `The requested resource does not support http method '${request.method}'.`;
    return exchange.error(405, 'method_not_allowed', message);
  }
  const [path = '', search = ''] = target.split('?', 2);
  const query = new URLSearchParams(search);
  const refused = access.refusal(profile, route, request.headers, query);
  if (refused !== undefined) return refused;
  let listing = today.listing(route.resource, exchange.parentId);
  if (listing === undefined) return exchange.parentUnknown();
  for (const { act } of faults.met('listing', exchange)) listing = act(listing);
  // As with other servers, links lead to the host that the client has named.
  let call: Call = { path, query, origin: `http://${request.headers.host}`, absoluteLinks: false, pageSize };
  for (const { act } of faults.met('linkOrigin', exchange))
    call = { ...call, origin: await act(exchange), absoluteLinks: true };
  const answer = profile.render(listing, call);
  return answer ?? exchange.error(400, 'validation_failed', 'The page asked for does not exist.');
}

const NOT_FOUND = 'object_not_found';

function exchangeOf(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  route: Route | undefined,
): Exchange {
  const { since, secondOrigin } = state;
  const target = request.url ?? '';
  const attempt = (since.attempts.get(target) ?? 0) + 1;
  since.attempts.set(target, attempt);
  const kind = route?.kind ?? (target.startsWith('/gv2/') ? 'signage' : 'backup');
  const error: Exchange['error'] = (...said) => state.profile.error(kind, ...said);
  return {
    request,
    response,
    target,
    number: ++since.requests,
    attempt,
    route,
    parentId: route === undefined ? undefined : state.profile.parentId(route),
    kind,
    error,
    secondOrigin,
    rotateKey: () => {
      if (!since.rotated.has(kind)) state.access.rotate(kind);
      since.rotated.add(kind);
    },
    parentUnknown: () =>
      kind === 'backup'
        ? error(404, NOT_FOUND, 'Object not found')
        : error(
            404,
            NOT_FOUND,
            'The requested resource was not found.',
            `No player with id ${route?.parent}.`,
          ),
  };
}
