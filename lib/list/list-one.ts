import { CallRefused } from '../api/call/call.ts';
import type { ProvenClient } from '../api/client.ts';
import { fetchListing } from '../api/listing.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import type { FoundDialect } from '../run/dialects.ts';
import { failedRow, type UnfinishedRaw } from '../run/raw-files.ts';
import type { ApiServices } from '../runtime/services.ts';
import type { Resource } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { idCollector } from './id-collector.ts';
import type { Fitting } from './id-leaves.ts';

export interface ListOneOptions {
  readonly source: Source;
  readonly resource: Resource;
  readonly services: ApiServices;
  readonly client: ProvenClient;
  readonly raw: UnfinishedRaw;
  /** The contract that committed runs found. */
  readonly lock: FoundDialect | undefined;
  /** The field by which children were requested with success. */
  readonly idField?: string | undefined;
}

export interface Listed {
  readonly found: FoundDialect;
  /** The ids of the listed records. Undefined where the listing failed, or its records have no usable id. */
  readonly ids: ReadonlySet<string> | undefined;
  /**
   * The number of records that came on two pages. They moved during the reading, so others may be missing.
   */
  readonly repeats: number;
  /** True where fewer records came than the pages declared. */
  readonly isBelow: boolean;
  /** A hash of the ids in the order in which they came. */
  readonly order: number;
  /** Where no field is surely the id, or the key of a map is: those that may be, with the ids of each. */
  readonly fitting: readonly Fitting[];
  /** Before this time the server wants no other call for the listing. */
  readonly notBefore?: Date | undefined;
  /** The row with the outcome; it is not appended yet. */
  readonly last: RawRow;
}

/** Several rows have one id: nothing shows whether the server has a record twice, or gave its id to another. */
function repeatedNote({ field, repeats }: { readonly field: string | undefined; readonly repeats: number }) {
  const has = repeats === 1 ? 'record has' : 'records have';
  const says = `${repeats} ${has} the ${JSON.stringify(field)} of another one. Those on one page, or with other values, are rows of their own (#2)`;
  return { code: 'ID_REPEATED', says };
}

/**
 * Calls one top-level listing and collects the ids of its records. Appends all rows but the last to its raw
 * file.
 */
export async function listOne(options: ListOneOptions): Promise<Listed> {
  const { source, resource, services, client, raw, lock, idField } = options;
  const ids = idCollector(resource, source.resources[resource.name]?.id ?? idField ?? lock?.idField);
  // An empty listing does not show how its records or pages look.
  const shown = lock !== undefined && lock.records > 0 ? lock.dialect : undefined;
  const rows = fetchListing({
    client,
    source,
    resource,
    parentId: null,
    ...(shown && { contract: shown }),
    wasEmpty: lock?.records === 0,
    onRecords: (records, isMended) => {
      ids.add(records);
      raw.keys.add(records, isMended);
      services.onProgress({
        stage: 'list',
        source: source.name,
        resource: resource.name,
        records: records.length,
      });
    },
  });
  try {
    let last: RawRow | undefined;
    let next = await rows.next();
    while (next.done !== true) {
      if (last !== undefined) await raw.append(last);
      last = next.value;
      next = await rows.next();
    }
    if (last === undefined) throw new Error('a listing ended, but gave no row for raw');
    const end = next.value;
    if (end.question !== undefined) raw.questions.add(end.question);
    raw.notes.add(null, end.notes);
    const decided = ids.decide();
    if (decided.repeats > 0) raw.notes.add(null, [repeatedNote(decided)]);
    const repeats = end.pages <= 1 ? 0 : decided.repeats;
    const listed = end.outcome === 'ok' || end.outcome === 'empty';
    return {
      found: {
        records: listed ? end.items : 0,
        isWhole: end.isSure && (end.pages <= 1 || (end.contract?.total !== undefined && repeats === 0)),
        // Later runs must not read by the contract of a failed listing.
        ...(listed && end.contract && { dialect: end.contract }),
        ...(decided.field !== undefined && { idField: decided.field }),
        ...(decided.doubts.length > 0 && { idDoubts: decided.doubts }),
        ...(decided.lacking > 0 && { lacking: decided.lacking }),
        ...(repeats > 0 && { repeats }),
      },
      ids: listed ? decided.ids : undefined,
      repeats,
      isBelow: end.isBelow,
      order: decided.order,
      fitting: listed ? decided.fitting : [],
      notBefore: end.notBefore,
      last,
    };
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    const last = failedRow(null, error, services.now());
    return {
      found: { records: 0, isWhole: false },
      ids: undefined,
      repeats: 0,
      isBelow: false,
      order: 0,
      fitting: [],
      last,
    };
  }
}
