import { type Cure, saidWithCures } from '../sources/question.ts';
import { type ResourceName, resourceNamed } from '../sources/resources.ts';

/** The choices that the table `outcomes` has as a JSON array; none where it has null. */
export function choicesIn(cell: unknown): readonly string[] {
  return typeof cell === 'string' ? JSON.parse(cell) : [];
}

/** The settings that may help where plan itself calls a listing failed, by code. */
const CURES = {
  // The setting is there already: only the API can give these records an id.
  ID_MISSING: () => [],
  ID_UNKNOWN: (resource, choices) =>
    idCures(resourceNamed(resource).parent ?? resource, { choices, open: 'a field that does' }),
  RESOURCE_MISSING: (resource) => {
    const { pathSettings } = resourceNamed(resource);
    return [
      { setting: 'basePath', choices: [], open: 'where the API begins' },
      ...pathSettings.map((setting) => ({ setting, choices: [], open: 'what the server has' })),
      { setting: `resources.${resource}.path`, choices: [], open: 'where the listing is' },
    ];
  },
  SHAPE_CHANGED: (resource) => idCures(resource, { choices: [], open: 'the field that has taken its place' }),
} as const satisfies Readonly<
  Record<string, (resource: ResourceName, choices: readonly string[]) => readonly Cure[]>
>;

export type PlanCode = keyof typeof CURES;

/** A listing that plan itself calls failed. */
export interface Judged {
  readonly code: PlanCode;
  readonly resource: ResourceName;
  /** What may stand in the setting, as far as the answers show it. */
  readonly choices?: readonly string[];
}

/** The settings that may help where plan itself calls a listing failed with this code. */
export function planCures({ code, resource, choices = [] }: Judged): readonly Cure[] {
  return CURES[code](resource, choices);
}

/** The message of an outcome that plan itself calls failed. */
export function planMessage(says: string, judged: Judged): string {
  return saidWithCures(says, planCures(judged));
}

function idCures(
  resource: ResourceName,
  may: { readonly choices: readonly string[]; readonly open: string },
): readonly Cure[] {
  return [{ setting: `resources.${resource}.id`, ...may }];
}
