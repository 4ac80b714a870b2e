import type { Command } from 'commander';
import type { Contract } from '#lib/api/contract/contract.ts';
import { plainContract } from '#lib/api/contract/plain.ts';
import { UsageError } from '#lib/errors.ts';
import { readHead } from '#lib/lake/head.ts';
import { type FoundDialect, locksOf } from '#lib/run/dialects.ts';
import { childrenOf, RESOURCE_NAMES, type ResourceName } from '#lib/sources/resources.ts';
import { counted, didYouMean } from '#lib/text.ts';
import { existingLake } from './local-services.ts';
import { commandOf, ofStack } from './options.ts';
import { type GivenOptions, nextCommand } from './program-name.ts';
import { say } from './say.ts';

/** `contract show`: what complete answers of the listings have shown. */
export function addContract(command: Command): void {
  const show = command
    .command('show')
    .description('say what is known of a listing, in plain sentences')
    .argument('[listing]', 'players or berlin.players; without it, every listing');
  commandOf(show, { deployed: ofStack() }, async (options, listing) => {
    const contracts = named(await contractsOf(options.lake), listing, options);
    say(options.json ? contracts : contracts.map(textOf).join('\n\n'));
  });
}

/** What is known about a listing of a source. */
export interface KnownListing extends Pick<FoundDialect, 'records' | 'idField'> {
  readonly source: string;
  readonly resource: ResourceName;
  readonly contract: Contract | null;
}

/** What the newest commit knows about all listings. */
async function contractsOf(name: string): Promise<readonly KnownListing[]> {
  const head = (await readHead(await existingLake(name)))?.head;
  return (head?.sources ?? []).flatMap((source) => {
    const locks = locksOf(head, source);
    return RESOURCE_NAMES.flatMap((resource): readonly KnownListing[] => {
      const { dialect: contract = null, records = 0, idField } = locks[resource] ?? {};
      return resource in locks
        ? [{ source, resource, records, ...(idField !== undefined && { idField }), contract }]
        : [];
    });
  });
}

/** The listings of that name. Throws UsageError LISTING_UNKNOWN without one. */
function named(
  all: readonly KnownListing[],
  listing: string | undefined,
  given: GivenOptions,
): readonly KnownListing[] {
  const names = all.flatMap(({ source, resource }) => [resource, `${source}.${resource}`]);
  const found = all.filter(
    ({ source, resource }) => listing === undefined || [resource, `${source}.${resource}`].includes(listing),
  );
  if (found.length > 0) return found;
  const otherwise = `no run has committed it yet; \`${nextCommand(['run'], given)}\` does`;
  const cure =
    listing === undefined ? `${otherwise}.` : didYouMean(listing, { known: [...new Set(names)], otherwise });
  throw new UsageError(`Nothing is known of ${listing ?? 'any listing'}: ${cure}`, 'LISTING_UNKNOWN');
}

function textOf({ source, resource, records, idField, contract }: KnownListing): string {
  const sentences = [
    ...(contract === null ? ['No answer with records has shown anything yet.'] : plainContract(contract)),
    ...(contract?.wholeItems === undefined && records > 0
      ? [`The last listing had ${counted(records, 'record')}.`]
      : []),
    ...(idField === undefined || childrenOf(resource).length === 0
      ? []
      : [`Children are requested by ${idField}.`]),
  ];
  return [`${source}.${resource}`, ...sentences.map((sentence) => `  ${sentence}`)].join('\n');
}
