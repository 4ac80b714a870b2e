import { didYouMean } from '#lib/nearest.ts';
import { backup2023 } from './backup-2023.ts';
import { camelLocal } from './camel-local.ts';
import { cursor } from './cursor.ts';
import { FAULTY_PAGING } from './faulty-paging.ts';
import { guidDrf } from './guid-drf.ts';
import { hostileData } from './hostile-data.ts';
import { keyedMap } from './keyed-map.ts';
import { legacyDotnet } from './legacy-dotnet.ts';
import { limitSkip } from './limit-skip.ts';
import { linkHeader } from './link-header.ts';
import { marker } from './marker.ts';
import { odata } from './odata.ts';
import { pagedStandard } from './paged-standard.ts';
import { pairwiseProfiles } from './pairwise.ts';
import type { Profile } from './profile.ts';
import { reference } from './reference.ts';

/** Every profile that has a name of its own. */
export const PROFILES: readonly Profile[] = [
  reference,
  backup2023,
  pagedStandard,
  odata,
  marker,
  cursor,
  limitSkip,
  linkHeader,
  legacyDotnet,
  camelLocal,
  guidDrf,
  keyedMap,
  hostileData,
  ...FAULTY_PAGING,
];

/** The profile of that name, also `pairwise:N`, which the seed decides. Throws an error with the known names. */
export function profileNamed(name: string, seed: number): Profile {
  const found = (name.startsWith('pairwise:') ? pairwiseProfiles(seed) : PROFILES).find(
    (each) => each.name === name,
  );
  if (found !== undefined) return found;
  const known = PROFILES.map((profile) => profile.name);
  const pairwise = `pairwise:0 to pairwise:${pairwiseProfiles(seed).length - 1}`;
  const cure = didYouMean(name, { known, otherwise: `known are ${known.join(', ')}, ${pairwise}` });
  throw new Error(`profile '${name}' is unknown; ${cure}`);
}
