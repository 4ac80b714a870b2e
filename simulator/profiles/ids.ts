import { hashText } from '../dice.ts';
import type { Json } from '../json.ts';
import { kindOf, type ServedResource, servedNamed } from '../kind.ts';
import type { AxisValue } from './axes.ts';

/** How a dialect names and writes the id of a record, and reads it from a path. */
export interface Ids {
  /** The key as reference writes it; the dialect's case is applied later. */
  field(resource: ServedResource): string;
  write(resource: ServedResource, id: number): Json;
  /** The id that `write` turned into this text; undefined if it never writes this text. */
  read(resource: ServedResource, text: string): number | undefined;
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function idsOf(kind: AxisValue<'id'>): Ids {
  const field = fieldOf(kind);
  const write = writerOf(kind);
  const number = numberReader(kind);
  return {
    field,
    write,
    read(resource, text) {
      const id = number(text);
      return Number.isSafeInteger(id) && String(write(resource, id)) === text ? id : undefined;
    },
  };
}

function fieldOf(kind: AxisValue<'id'>): (resource: ServedResource) => string {
  switch (kind) {
    case 'resource-named':
      return (resource) => `${servedNamed(resource).record}Id`;
    case 'guid-named':
      return () => 'Guid';
    case 'ulid-key':
      return () => 'Key';
    default:
      return (resource) => (kindOf(resource) === 'backup' ? 'id' : 'Id');
  }
}

function writerOf(kind: AxisValue<'id'>): (resource: ServedResource, id: number) => Json {
  switch (kind) {
    case 'text':
      return (_, id) => String(id);
    case 'guid':
    case 'guid-named':
      return guid;
    case 'ulid-key':
      return (_, id) => `01JD2K8Q00${base32(id).padStart(16, '0')}`;
    case 'encoded':
      return (_, id) => `Süd/${id} 100%`;
    default:
      return (_, id) => id;
  }
}

function numberReader(kind: AxisValue<'id'>): (text: string) => number {
  switch (kind) {
    case 'guid':
    case 'guid-named':
      return (text) => Number.parseInt(text.slice(-12), 16);
    case 'ulid-key':
      return (text) => [...text.slice(10)].reduce((sum, digit) => sum * 32 + BASE32.indexOf(digit), 0);
    case 'encoded':
      return (text) => Number(/^Süd\/(\d+) /.exec(text)?.[1]);
    default:
      return Number;
  }
}

/** A GUID that looks random and has the id in its last part. */
function guid(resource: ServedResource, id: number): string {
  const a = hashText(1, resource, id).toString(16).padStart(8, '0');
  const b = hashText(2, resource, id).toString(16).padStart(8, '0');
  return `${a}-${b.slice(0, 4)}-4${b.slice(4, 7)}-8${a.slice(0, 3)}-${id.toString(16).padStart(12, '0')}`;
}

function base32(id: number): string {
  return id.toString(32).replace(/./g, (digit) => BASE32[Number.parseInt(digit, 32)] ?? '');
}
