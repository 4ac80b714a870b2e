import type { FoundDialect, IdDoubt } from '../../run/dialects.ts';
import type { ResourceName } from '../../sources/resources.ts';

/** Why the run cannot request the children of some or all parents. */
export interface IdFault {
  readonly code: 'ID_UNKNOWN' | 'ID_MISSING';
  readonly says: string;
  /** Fields that the setting `id` may name, the likeliest first. */
  readonly choices: readonly string[];
}

/** What is wrong with the ids that the children are requested by; undefined if nothing is. */
export function idFault(resource: ResourceName, found: FoundDialect): IdFault | undefined {
  const { idField, idDoubts = [], lacking = 0, records } = found;
  if (idField !== undefined) {
    if (lacking === 0) return undefined;
    const says = `${lacking} of ${records} records of ${resource} have no ${JSON.stringify(idField)}, by which their children are requested`;
    return { code: 'ID_MISSING', says, choices: [] };
  }
  const none = `The records of ${resource} have no field that each of them has and that tells them apart`;
  if (idDoubts.length === 0) return { code: 'ID_UNKNOWN', says: none, choices: [] };
  const may = idDoubts.map((doubt) => doubtText(doubt, records)).join(', ');
  const says = `It is not clear which field of the ${records} records of ${resource} requests their children: ${may}`;
  return { code: 'ID_UNKNOWN', says, choices: idDoubts.map(({ field }) => field) };
}

function doubtText({ field, lacking, repeats }: IdDoubt, records: number): string {
  const faults = [
    ...(lacking > 0 ? [`is missing in ${lacking}`] : []),
    ...(repeats > 0 ? [`repeats in ${repeats}`] : []),
  ];
  return `${JSON.stringify(field)} ${faults.length === 0 ? `tells all ${records} apart` : faults.join(' and ')}`;
}
