import { fraction, hash, hashText } from '../dice.ts';
import type { Exchange, Fault, Hooks, Settings } from './fault.ts';
import { type FaultSpec, parseFaults } from './spec.ts';

/** The faults of a spec. */
export interface Faults {
  /** What the faults that the exchange meets do at a hook, in the order of the spec. */
  met<Hook extends keyof Hooks>(
    hook: Hook,
    exchange: Exchange,
  ): Iterable<{ readonly act: NonNullable<Fault[Hook]>; readonly settings: Settings }>;
  /** True if the parent meets this fault, which is decided by parent. */
  parentMeets(name: string, parentId: number): boolean;
}

export interface FaultsOptions {
  readonly seed: number;
  /** Called at every effect. */
  readonly onMet: (name: string) => void;
}

/** The faults of a spec. Throws as `parseFaults` does. */
export function createFaults(spec: string, { seed, onMet }: FaultsOptions): Faults {
  const all = parseFaults(spec);
  return {
    *met(hook, exchange) {
      for (const each of all) {
        const { [hook]: act, name } = each.fault;
        if (act === undefined || !meets(each, exchange, seed)) continue;
        onMet(name);
        yield { act, settings: each.settings };
      }
    },
    parentMeets: (name, parentId) =>
      all.some(
        (each) =>
          each.fault.name === name &&
          each.fault.decidedBy === 'parent' &&
          parentDraw(each, parentId, seed) < each.rate,
      ),
  };
}

/** Requests in a row that meet a fault of bursts, or do not. */
const BURST = 20;

function meets(active: FaultSpec, exchange: Exchange, seed: number): boolean {
  const { fault, rate, selection } = active;
  const { resource, api, from } = selection;
  const { route, kind, number } = exchange;
  const isMeant =
    resource === undefined ? (fault.about?.(exchange) ?? route !== undefined) : resource === route?.resource;
  if (!isMeant || (api !== undefined && api !== kind) || number < from) return false;
  if (rate >= 1) return true;
  switch (fault.decidedBy ?? 'attempt') {
    case 'parent':
      return exchange.parentId !== undefined && parentDraw(active, exchange.parentId, seed) < rate;
    case 'burst':
      return fraction(hashText(seed, fault.name, Math.floor((number - 1) / BURST))) < rate;
    case 'attempt': {
      const ofTarget = hashText(seed, exchange.target);
      return fraction(hash(seed, hashText(seed, fault.name), ofTarget, exchange.attempt)) < rate;
    }
  }
}

function parentDraw(active: FaultSpec, parentId: number, seed: number): number {
  return fraction(hashText(seed, active.fault.name, parentId));
}
