import * as z from 'zod';
import { completeOrPaged } from '../api/contract/cures.ts';
import { kindNamed } from '../sources/kinds.ts';
import type { Cure } from '../sources/question.ts';
import { RESOURCE_NAMES, type ResourceName, resourceNamed } from '../sources/resources.ts';

/** Code → the settings that may help if plan itself calls a listing failed. */
const CURES = {
  CAP_SUSPECTED: (resource) => completeOrPaged(resourceNamed(resource), 'no parent has more'),
  CHILDREN_ALIKE: (resource, choices) => [
    {
      setting: `resources.${resource}.path`,
      choices,
      open: 'the path to the records of one parent',
      ...(choices.length > 0 && { isLikely: true as const }),
    },
    { setting: `resources.${resource}.complete`, choices: [true], when: 'these numbers are right' },
  ],
  // No setting helps: only the API can add ids to the records.
  ID_MISSING: () => [],
  ID_UNKNOWN: (resource, choices) =>
    idCures(resourceNamed(resource).parent ?? resource, { choices, open: 'a field that tells them apart' }),
  RESOURCE_MISSING: (resource) => {
    const { kind, pathSettings } = resourceNamed(resource);
    const { variants } = kindNamed(kind);
    return [
      { setting: 'basePath', choices: [], open: 'where the API begins' },
      ...pathSettings.map((setting) => ({
        setting,
        choices: variants[setting] ?? [],
        open: 'what the server has',
      })),
      { setting: `resources.${resource}.path`, choices: [], open: 'where the listing is' },
    ];
  },
  SHAPE_CHANGED: (resource) => idCures(resource, { choices: [], open: 'the field that replaced it' }),
} as const satisfies Readonly<
  Record<string, (resource: ResourceName, choices: readonly string[]) => readonly Cure[]>
>;

export type PlanCode = keyof typeof CURES;

const judgedRow = z.object({
  error_code: z.custom<PlanCode>((code) => typeof code === 'string' && Object.hasOwn(CURES, code)),
  resource: z.enum(RESOURCE_NAMES),
  /** A JSON array of values that the setting may have, as far as the answers show them; null for none. */
  choices: z.string().nullable(),
});

/** Plan's judgement in a row of `outcomes`, with the settings that may help. */
export function judgedIn(row: unknown) {
  const { error_code: code, resource, choices } = judgedRow.parse(row);
  return {
    code,
    resource,
    cures: CURES[code](resource, z.array(z.string()).parse(JSON.parse(choices ?? '[]'))),
  };
}

function idCures(
  resource: ResourceName,
  may: { readonly choices: readonly string[]; readonly open: string },
): readonly Cure[] {
  return [{ setting: `resources.${resource}.id`, ...may }];
}
