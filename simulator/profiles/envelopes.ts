import type { Json, JsonObject } from '../json.ts';
import { type ServedResource, servedNamed } from '../kind.ts';
import type { AxisValue } from './axes.ts';

/** The text around the records: `open`, the records, `close`. `fields` are the members of the paging. */
export interface Envelope {
  open(resource: ServedResource): string;
  close(fields: JsonObject): string;
}

/** `pendingFileTransfers` */
function keyOf(resource: ServedResource): string {
  const { listing } = servedNamed(resource);
  return `${listing.charAt(0).toLowerCase()}${listing.slice(1)}`;
}

export function envelopeOf(kind: Exclude<AxisValue<'envelope'>, 'keyed-map'>): Envelope {
  const around = (open: string, closed: string): Envelope => ({
    open: (resource) => open.replace('RESOURCE', keyOf(resource)),
    close: (fields) => `]${members(fields)}${closed}`,
  });
  switch (kind) {
    case 'bare':
      return { open: () => '[', close: () => ']' };
    case 'result-data':
      return around('{"result":"success","data":[', '}');
    case 'd-results':
      return around('{"d":{"results":[', '}}');
    case 'resource-named':
      return around('{"success":{"ok":true,"notFound":null},"RESOURCE":[', '}');
    default:
      return around(`{"${kind}":[`, '}');
  }
}

/** `,"a":1,"b":2` */
function members(fields: JsonObject): string {
  return Object.entries(fields)
    .map(([key, value]: [string, Json]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join('');
}
