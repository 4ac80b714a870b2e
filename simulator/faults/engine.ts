import { fraction, hash, hashText } from '../dice.ts';
import type { Exchange, Hooks, Reach } from './fault.ts';
import { type FaultSpec, parseFaults, type Selection } from './spec.ts';

/** The faults of a spec. */
export interface Faults {
  readonly spec: string;
  /** What the faults that the exchange meets do at a hook, in the order of the spec. */
  met<Hook extends keyof Hooks>(hook: Hook, exchange: Exchange): Iterable<Hooks[Hook]>;
  /** True if the parent meets this fault, which is decided by parent. */
  parentMeets(name: string, parentId: number): boolean;
}

const HOOKS = ['answer', 'listing', 'linkOrigin', 'change', 'send'] as const;

/** The faults of a spec. Calls `onMet` at every effect. Throws as `parseFaults` does. */
export function createFaults(spec: string, reach: Reach, onMet: (name: string) => void): Faults {
  const all = parseFaults(spec).map((each) => ({ ...each, hooks: hooksOf(each, reach) }));
  return {
    spec,
    *met(hook, exchange) {
      for (const each of all) {
        const use = each.hooks[hook];
        if (use === undefined || !meets(each, exchange, reach.seed)) continue;
        onMet(each.fault.name);
        yield use;
      }
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

function hooksOf({ fault, settings }: FaultSpec, reach: Reach): Partial<Hooks> {
  return Object.fromEntries(HOOKS.map((hook) => [hook, fault[hook]?.(settings, reach)]));
}

function meets(active: FaultSpec, exchange: Exchange, seed: number): boolean {
  const { fault, rate, selection, settings } = active;
  if (!selected(selection, exchange)) return false;
  const about = fault.about ?? isListing;
  if (selection.resource === undefined && !about(exchange)) return false;
  if (rate >= 1) return true;
  switch (fault.decidedBy ?? 'attempt') {
    case 'parent':
      return exchange.parentId !== undefined && parentDraw(active, exchange.parentId, seed) < rate;
    case 'burst': {
      const burst = Math.floor((exchange.number - 1) / Number(settings['burst']));
      return fraction(hashText(seed, fault.name, burst)) < rate;
    }
    case 'attempt': {
      const ofTarget = hashText(seed, exchange.target);
      return fraction(hash(seed, hashText(seed, fault.name), ofTarget, exchange.attempt)) < rate;
    }
  }
}

function isListing(exchange: Exchange): boolean {
  return exchange.route !== undefined;
}

function parentDraw(active: FaultSpec, parentId: number, seed: number): number {
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
