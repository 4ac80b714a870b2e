import { fraction, hash, hashText } from '../dice.ts';
import type { Answer } from '../profiles/answer.ts';
import type { Listing } from '../world/listing.ts';
import type { Behaviour, Exchange, Reach } from './fault.ts';
import { type FaultSpec, parseFaults, type Selection } from './spec.ts';

/** The faults of a spec. Each hook asks the faults that the exchange meets, in the order of the spec. */
export interface Faults {
  readonly spec: string;
  /** The first answer that a fault puts in place of the true one. */
  answer(exchange: Exchange): Promise<Answer | undefined>;
  listing(listing: Listing, exchange: Exchange): Listing;
  linkOrigin(exchange: Exchange): Promise<string | undefined>;
  change(answer: Answer, exchange: Exchange): Answer;
  /** Sends the answer in place of the simulator; undefined: the simulator sends it. */
  sender(exchange: Exchange): ((exchange: Exchange, answer: Answer) => void | Promise<void>) | undefined;
  /** True if the parent meets this fault, which is decided by parent. */
  parentMeets(name: string, parentId: number): boolean;
}

interface Active extends FaultSpec {
  readonly behaviour: Behaviour;
}

/** The faults of a spec. Calls `onMet` at every effect. Throws as `parseFaults` does. */
export function createFaults(spec: string, reach: Reach, onMet: (name: string) => void): Faults {
  const all: Active[] = parseFaults(spec).map((each) => ({
    ...each,
    behaviour: each.fault.create(each.settings, reach),
  }));
  const met = function* <Hook extends keyof Behaviour>(hook: Hook, exchange: Exchange) {
    for (const each of all) {
      const use = each.behaviour[hook];
      if (use === undefined || !meets(each, exchange, reach.seed)) continue;
      onMet(each.fault.name);
      yield use;
    }
  };
  return {
    spec,
    async answer(exchange) {
      for (const answer of met('answer', exchange)) {
        const given = await answer(exchange);
        if (given !== undefined) return given;
      }
      return undefined;
    },
    listing(listing, exchange) {
      let changed = listing;
      for (const change of met('listing', exchange)) changed = change(changed);
      return changed;
    },
    async linkOrigin(exchange) {
      for (const origin of met('linkOrigin', exchange)) return origin();
      return undefined;
    },
    change(answer, exchange) {
      let changed = answer;
      for (const change of met('change', exchange)) changed = change(changed, exchange);
      return changed;
    },
    sender(exchange) {
      for (const send of met('send', exchange)) return send;
      return undefined;
    },
    parentMeets: (name, parentId) =>
      all.some(
        (each) =>
          each.fault.name === name &&
          each.fault.decidedBy === 'parent' &&
          parentDraw(each, parentId, reach.seed) < each.rate,
      ),
  };
}

function meets(active: Active, exchange: Exchange, seed: number): boolean {
  const { fault, rate, selection } = active;
  if (!selected(selection, exchange)) return false;
  const about = fault.about ?? isListing;
  if (selection.resource === undefined && !about(exchange)) return false;
  if (rate >= 1) return true;
  switch (fault.decidedBy ?? 'attempt') {
    case 'parent':
      return exchange.parentId !== undefined && parentDraw(active, exchange.parentId, seed) < rate;
    case 'burst': {
      const burst = Math.floor((exchange.number - 1) / Number(active.settings.burst));
      return fraction(hashText(seed, fault.name, burst)) < rate;
    }
    case 'attempt':
      return (
        fraction(hash(seed, hashText(seed, fault.name), hashText(seed, exchange.target), exchange.attempt)) <
        rate
      );
  }
}

function isListing(exchange: Exchange): boolean {
  return exchange.route !== undefined;
}

function parentDraw(active: Active, parentId: number, seed: number): number {
  return fraction(hashText(seed, active.fault.name, parentId));
}

function selected(selection: Selection, exchange: Exchange): boolean {
  const { resource, api, from, until, attempts, day } = selection;
  return (
    (resource === undefined || resource.includes(exchange.route?.resource ?? 'unknown')) &&
    (api === undefined || api === exchange.kind) &&
    exchange.number >= from &&
    exchange.number <= until &&
    exchange.attempt <= attempts &&
    (day === undefined || day === exchange.day)
  );
}
