import { type Cure, saidWithCures } from '../sources/question.ts';
import { type ResourceName, resourceNamed } from '../sources/resources.ts';

/** The settings that may help where plan itself calls a listing failed, by code. */
const CURES = {
  ID_UNKNOWN: (resource) => idCures(resourceNamed(resource).parent ?? resource, 'a field that does'),
  RESOURCE_MISSING: (resource) => {
    const { pathSettings } = resourceNamed(resource);
    return [
      { setting: 'basePath', choices: [], open: 'where the API begins' },
      ...pathSettings.map((setting) => ({ setting, choices: [], open: 'what the server has' })),
      { setting: `resources.${resource}.path`, choices: [], open: 'where the listing is' },
    ];
  },
  SHAPE_CHANGED: (resource) => idCures(resource, 'the field that has taken its place'),
} as const satisfies Readonly<Record<string, (resource: ResourceName) => readonly Cure[]>>;

export type PlanCode = keyof typeof CURES;

/** The settings that may help where plan itself calls a listing failed with this code. */
export function planCures(code: PlanCode, resource: ResourceName): readonly Cure[] {
  return CURES[code](resource);
}

/** The message of an outcome that plan itself calls failed. */
export function planMessage(
  says: string,
  about: { readonly code: PlanCode; readonly resource: ResourceName },
): string {
  return saidWithCures(says, planCures(about.code, about.resource));
}

function idCures(resource: ResourceName, open: string): readonly Cure[] {
  return [{ setting: `resources.${resource}.id`, choices: [], open }];
}
