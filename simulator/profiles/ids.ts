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

export function idsOf(kind: AxisValue<'id'>): Ids {
  const { field, write, number } = { ...FORMS.native, ...FORMS[kind] };
  return {
    field,
    write,
    read(resource, text) {
      const id = number(text);
      return Number.isSafeInteger(id) && String(write(resource, id)) === text ? id : undefined;
    },
  };
}

interface Form extends Pick<Ids, 'field' | 'write'> {
  /** The number that a written id holds; anything else for a text that is no id. */
  number(text: string): number;
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What an entry lacks is as in `native`. */
const FORMS: Readonly<Record<AxisValue<'id'>, Partial<Form>>> & { readonly native: Form } = {
  native: {
    field: (resource) => (kindOf(resource) === 'backup' ? 'id' : 'Id'),
    write: (_, id) => id,
    number: Number,
  },
  text: { write: (_, id) => String(id) },
  'resource-named': { field: (resource) => `${servedNamed(resource).record}Id` },
  guid: { write: guid, number: guidNumber },
  'guid-named': { field: () => 'Guid', write: guid, number: guidNumber },
  'ulid-key': {
    field: () => 'Key',
    write: (_, id) => `01JD2K8Q00${base32(id).padStart(16, '0')}`,
    number: (text) => [...text.slice(10)].reduce((sum, digit) => sum * 32 + BASE32.indexOf(digit), 0),
  },
  encoded: {
    write: (_, id) => `Süd/${id} 100%`,
    number: (text) => Number(/^Süd\/(\d+) /.exec(text)?.[1]),
  },
};

/** A GUID that looks random and has the id in its last part. */
function guid(resource: ServedResource, id: number): string {
  const a = hashText(1, resource, id).toString(16).padStart(8, '0');
  const b = hashText(2, resource, id).toString(16).padStart(8, '0');
  return `${a}-${b.slice(0, 4)}-4${b.slice(4, 7)}-8${a.slice(0, 3)}-${id.toString(16).padStart(12, '0')}`;
}

function guidNumber(text: string): number {
  return Number.parseInt(text.slice(-12), 16);
}

function base32(id: number): string {
  return id.toString(32).replace(/./g, (digit) => BASE32[Number.parseInt(digit, 32)] ?? '');
}
