import { plainContract } from '#lib/api/contract/plain.ts';
import { UsageError } from '#lib/errors.ts';
import { readHead } from '#lib/lake/head.ts';
import { locksOf } from '#lib/run/dialects.ts';
import { childrenOf, RESOURCE_NAMES } from '#lib/sources/resources.ts';
import { counted, didYouMean } from '#lib/text.ts';
import { existingLake } from './local-services.ts';
import { commandOf, innerCommands, ofStack, optionalWord } from './options.ts';
import { nextCommand } from './program-name.ts';
import { say } from './say.ts';

const OPTIONS = {
  listing: optionalWord('[listing]', 'players or berlin.players; without it, every listing'),
  deployed: ofStack(),
};

const show = commandOf(OPTIONS, async ({ listing, ...options }) => {
  const all = await knownListings(options.lake);
  const namesOf = ({ source, resource }: KnownListing) => [resource, `${source}.${resource}`];
  const found = all.filter((each) => listing === undefined || namesOf(each).includes(listing));
  if (found.length > 0) return say(options.json ? found : found.map(contractText).join('\n\n'));
  const otherwise = `no run has committed it yet; \`${nextCommand(['run'], options)}\` does`;
  const known = [...new Set(all.flatMap(namesOf))];
  const cure = listing === undefined ? `${otherwise}.` : didYouMean(listing, { known, otherwise });
  throw new UsageError(`Nothing is known of ${listing ?? 'any listing'}: ${cure}`, 'LISTING_UNKNOWN');
});

export const addContract = innerCommands({
  show: ['say what is known of a listing, in plain sentences', show],
});

type KnownListing = Awaited<ReturnType<typeof knownListings>>[number];

async function knownListings(name: string) {
  const head = (await readHead(await existingLake(name)))?.head;
  return (head?.sources ?? []).flatMap((source) => {
    const locks = locksOf(head, source);
    return RESOURCE_NAMES.filter((resource) => resource in locks).map((resource) => {
      const { dialect: contract = null, records = 0, idField } = locks[resource] ?? {};
      return { source, resource, records, ...(idField !== undefined && { idField }), contract };
    });
  });
}

function contractText({ source, resource, records, idField, contract }: KnownListing): string {
  const none = ['No answer with records has shown anything yet.'];
  const sentences = contract === null ? none : [...plainContract(contract)];
  if (contract?.wholeItems === undefined && records > 0)
    sentences.push(`The last listing had ${counted(records, 'record')}.`);
  if (idField !== undefined && childrenOf(resource).length > 0)
    sentences.push(`Children are requested by ${idField}.`);
  return [`${source}.${resource}`, ...sentences.map((sentence) => `  ${sentence}`)].join('\n');
}
