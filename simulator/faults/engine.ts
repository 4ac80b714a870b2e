import { fraction, hash, hashText } from '../dice.ts';
import type { Exchange, Fault, Hooks, Settings } from './fault.ts';
import { type FaultSpec, parseFaults } from './spec.ts';

export interface Faults {
  /** What the faults that the exchange meets do at a hook, in the order of the spec. */
  met<Hook extends keyof Hooks>(
    hook: Hook,
    exchange: Exchange,
  ): Iterable<{ readonly act: NonNullable<Fault[Hook]>; readonly settings: Settings }>;
  /** True if the parent meets this fault, which is decided by parent. */
  parentMeets(name: string, parentId: number): boolean;
}

/** The faults of a spec; `onMet` is called at every effect. Throws as `parseFaults` does. */
export function createFaults(spec: string, seed: number, onMet: (name: string) => void): Faults {
  const all = parseFaults(spec);
  const ofParent = ({ fault }: FaultSpec, parentId: number) => fraction(hashText(seed, fault.name, parentId));
  const meets = (each: FaultSpec, exchange: Exchange): boolean => {
    const { fault, rate, resource, api, from } = each;
    const { route, kind, number, target, attempt, parentId } = exchange;
    const isMeant =
      resource === undefined
        ? (fault.about?.(exchange) ?? route !== undefined)
        : resource === route?.resource;
    if (!isMeant || (api !== undefined && api !== kind) || number < from) return false;
    if (rate >= 1) return true;
    if (fault.isOfParents) return parentId !== undefined && ofParent(each, parentId) < rate;
    return fraction(hash(seed, hashText(seed, fault.name), hashText(seed, target), attempt)) < rate;
  };
  return {
    *met(hook, exchange) {
      for (const each of all) {
        const { [hook]: act, name } = each.fault;
        if (act === undefined || !meets(each, exchange)) continue;
        onMet(name);
        yield { act, settings: each.settings };
      }
    },
    parentMeets: (name, parentId) =>
      all.some(
        (each) => each.fault.name === name && each.fault.isOfParents && ofParent(each, parentId) < each.rate,
      ),
  };
}
