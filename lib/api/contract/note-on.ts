import { isRoundNumber } from '../pages/round-number.ts';
import { nameOf } from '../read/facts.ts';
import { completeOrPaged, ignoreCure, unknownFacts, unknownText } from './cures.ts';
import type { Finding, Judged } from './judged.ts';

/** One note at most, of a new listing: how its pages were found, a round number of records, or unknown facts. */
export function noteOn({ resource, read, contract, settings, wasEmpty }: Judged): Finding | null {
  if (
    contract?.wholeItems !== undefined ||
    (wasEmpty && read.items === 0) ||
    resource.parent !== null ||
    settings.paging !== undefined ||
    settings.complete
  )
    return null;
  if (read.found !== null) {
    const says = `Its pages were found by trying ${read.found.style}: ${read.pages} pages with ${read.items} records`;
    return {
      code: 'PAGING_FOUND',
      says,
      cures: completeOrPaged(resource, `${read.items} is the right number`, read.found.style),
    };
  }
  const isProven = read.proof !== 'nothing' && read.proof !== 'own-length';
  const isKnownForm =
    read.envelope === resource.form.items && read.style.name === 'none' && read.totals.latest() === null;
  if (!isProven && !isKnownForm && isRoundNumber(read.items)) {
    const says = `There are exactly ${read.items} records, a number at which servers often cut, and usual ways to further ones return none`;
    return {
      code: 'CAP_SUSPECTED',
      says,
      cures: completeOrPaged(resource, `${read.items} is the right number today`),
    };
  }
  const unknown = unknownFacts(read.opening.facts, settings.ignore);
  if (unknown.length === 0) return null;
  return {
    code: 'BESIDE_UNKNOWN',
    says: unknownText(unknown),
    cures: [ignoreCure(resource, unknown.map(nameOf))],
  };
}
