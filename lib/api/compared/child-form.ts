import type { Body } from '../body/body.ts';
import { parseEnvelope } from '../dialect.ts';
import { containerAt, memberAt } from '../records/member-at.ts';
import type { Shape } from '../records/shape.ts';

/**
 * How the place of the records is built in the answer to one parent, the same for all that are built alike: `items` of `{"items": […]}`
 * and of `{"items": []}`, and another one of `{}`, `null`, `{"items": null}` and of an answer without body.
 */
export function childForm({ envelope, place }: Shape, body: Body | null): string {
  if (body === null) return 'no body';
  // Some servers write a map without entries as a list without entries.
  const usual = envelope.endsWith('{}') ? envelope.slice(0, -'{}'.length) || '$' : envelope;
  if (place !== null) return usual;
  const root = body.scan.container;
  if (root === null) return `value ${JSON.stringify(body.json)}`;
  if (root.kind === 'array') return '$';
  const wanted = parseEnvelope(envelope);
  if (wanted === null || wanted.path.length === 0) return without(root.children);
  const container = containerAt(root, wanted.path);
  if (container !== null) return container.kind === 'array' ? usual : `${usual} {}`;
  const member = memberAt(root, wanted.path);
  return member === null ? without(root.children) : `${usual} ${member.kind}`;
}

function without(members: number): string {
  return members === 0 ? '{}' : 'no list';
}
