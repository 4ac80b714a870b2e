import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from '../faults/engine.ts';
import { type Exchange, pause } from '../faults/fault.ts';
import { kindOf } from '../kind.ts';
import type { Answer } from '../profiles/answer.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Listing } from '../world/listing.ts';
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
  today: Snapshot;
  faults: Faults | undefined;
  /** Requests since the faults were set, and those of each target. */
  requests: number;
  attempts: Map<string, number>;
}

export interface PipelineOptions {
  readonly latencyMs: number;
  readonly gzip: boolean;
  readonly pageSize: number | undefined;
}

/** Answers one request: faults before the answer, access, the listing, its rendering, faults of the answer. */
export async function answerRequest(
  state: State,
  options: PipelineOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { profile, faults } = state;
  const target = request.url ?? '';
  const [path = '', search = ''] = target.split('?', 2);
  const found = profile.route(path);
  const route = 'status' in found ? undefined : found;
  tally(state.stats.byResource, route?.resource ?? 'unknown');
  const exchange = faults === undefined ? undefined : exchangeOf(state, request, response, target, route);
  const due = performance.now() + options.latencyMs;
  const query = new URLSearchParams(search);
  const ask = { state, options, request, path, query };
  if (faults === undefined || exchange === undefined) {
    const answer = 'status' in found ? found : trueAnswer(ask, found);
    await until(due);
    await send(response, answer, packed(ask, answer));
    return;
  }
  await until(due);
  const given = await faults.answer(exchange);
  const refused = given ?? ('status' in found ? found : refusal(ask, found));
  const answer =
    refused ?? (route === undefined ? undefined : await faultyAnswer(ask, route, faults, exchange));
  if (answer === undefined || response.destroyed) return;
  const changed = answer.status === 200 ? faults.change(answer, exchange) : answer;
  const sender = faults.sender(exchange);
  if (sender === undefined) await send(response, changed, packed(ask, changed));
  else await sender(exchange, changed);
}

/** Node's timers have whole milliseconds, and are so late on average (20,000 answers of 20 ms, 50 at once). */
const TIMER_LATE_MS = 0.4;

/** Waits until `due`; the time of making the answer is part of the wait. */
async function until(due: number): Promise<void> {
  const ms = Math.round(due - performance.now() - TIMER_LATE_MS);
  if (ms > 0) await pause(ms);
}

function packed({ options, request }: Ask, answer: Answer): boolean {
  const wanted = options.gzip || answer.gzip === true;
  return wanted && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
}

interface Ask {
  readonly state: State;
  readonly options: PipelineOptions;
  readonly request: IncomingMessage;
  readonly path: string;
  readonly query: URLSearchParams;
}

function trueAnswer(ask: Ask, route: Route): Answer {
  const refused = refusal(ask, route);
  if (refused !== undefined) return refused;
  const listing = listingOf(ask, route);
  return listing === undefined ? parentUnknown(ask, route) : rendered(ask, listing, undefined);
}

async function faultyAnswer(ask: Ask, route: Route, faults: Faults, exchange: Exchange): Promise<Answer> {
  const listing = listingOf(ask, route);
  if (listing === undefined) return parentUnknown(ask, route);
  return rendered(ask, faults.listing(listing, exchange), await faults.linkOrigin(exchange));
}

function refusal({ state, request, query }: Ask, route: Route): Answer | undefined {
  if (request.method !== 'GET') {
    const message = `The requested resource does not support http method '${request.method}'.`;
    return state.profile.error(route.kind, 405, 'method_not_allowed', message);
  }
  return state.access.refusal(state.profile, route, request.headers, query);
}

function listingOf({ state }: Ask, route: Route): Listing | undefined {
  return state.today.listing(route.resource, state.profile.parentId(route));
}

function rendered(
  { state, options, request, path, query }: Ask,
  listing: Listing,
  linkOrigin: string | undefined,
): Answer {
  const { profile } = state;
  const call = {
    path,
    query,
    // As with other servers, links lead to the host that the client has named.
    origin: linkOrigin ?? `http://${request.headers.host}`,
    absoluteLinks: linkOrigin !== undefined,
    pageSize: options.pageSize,
  };
  const kind = kindOf(listing.resource);
  return (
    profile.render(listing, call) ??
    profile.error(kind, 400, 'validation_failed', 'The page asked for does not exist.')
  );
}

function parentUnknown({ state }: Pick<Ask, 'state'>, route: Pick<Route, 'kind' | 'parent'>): Answer {
  const [message, detail] =
    route.kind === 'backup'
      ? ['Object not found']
      : ['The requested resource was not found.', `No player with id ${route.parent}.`];
  return state.profile.error(route.kind, 404, 'object_not_found', message ?? '', detail);
}

function exchangeOf(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  route: Route | undefined,
): Exchange {
  const number = ++state.requests;
  const attempt = (state.attempts.get(target) ?? 0) + 1;
  state.attempts.set(target, attempt);
  const kind = route?.kind ?? (target.startsWith('/gv2/') ? 'signage' : 'backup');
  return {
    request,
    response,
    target,
    number,
    attempt,
    day: state.today.day,
    route,
    parentId: route === undefined ? undefined : state.profile.parentId(route),
    kind,
    error: (status, code, message) => state.profile.error(kind, status, code, message),
    parentUnknown: () => parentUnknown({ state }, route ?? { kind, parent: undefined }),
  };
}
