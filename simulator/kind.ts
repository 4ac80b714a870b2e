import type { ResourceName, SourceKind } from '#lib/resources.ts';

/** The API that serves a resource. */
export function kindOf(resource: ResourceName): SourceKind {
  return resource.startsWith('backup_') ? 'backup' : 'signage';
}
