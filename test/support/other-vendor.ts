import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another vendor's name for each field that a view reads, and the name by which the views know its column. */
export const FIELDS: Readonly<Record<string, readonly [field: string, role: string]>> = {
  IsOn: ['Power', 'is_on'],
  LastUpdate: ['Lebenszeichen', 'last_update'],
  LastStatusChange: ['Seit', 'last_status_change'],
  Number: ['Platz', 'number'],
  DisplayName: ['Beschriftung', 'display_name'],
  Name: ['Bezeichnung', 'name'],
  City: ['Ort', 'city'],
  BoxState: ['Zustand', 'box_state'],
  LastAccess: ['Kontakt', 'last_access'],
  IsLicensed: ['Lizenziert', 'is_licensed'],
  TotalCount: ['Gesamt', 'total_count'],
  AvailableCount: ['Frei', 'available_count'],
  Created: ['Angelegt', 'created'],
};
/** Another vendor's words, and what they mean. */
export const WORDS: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  IsOn: { ON: true, STANDBY: false },
  IsLicensed: { ja: true, nein: false },
};

interface Vocabulary {
  readonly fields?: typeof FIELDS;
  readonly words?: typeof WORDS;
}

/** A gateway that says all in another vendor's names and words. */
export async function otherVendor(origin: string, { fields = FIELDS, words = WORDS }: Vocabulary = {}) {
  const server = createServer(async (asked, answer) => {
    const given = await fetch(`${origin}${asked.url}`, { headers: asked.headers as Record<string, string> });
    const text = await given.text();
    answer.writeHead(given.status, { 'content-type': given.headers.get('content-type') ?? 'text/plain' });
    answer.end(given.ok ? JSON.stringify(inOtherWords(JSON.parse(text), { fields, words })) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

function inOtherWords(value: unknown, told: Required<Vocabulary>): unknown {
  if (Array.isArray(value)) return value.map((each) => inOtherWords(each, told));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const words = Object.entries(told.words[key] ?? {});
      const said = words.find(([, meaning]) => meaning === member)?.[0];
      return [told.fields[key]?.[0] ?? key, said ?? inOtherWords(member, told)];
    }),
  );
}
