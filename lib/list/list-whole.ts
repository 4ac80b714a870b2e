import { ASKED_AGAIN, provenClient } from '../api/client.ts';
import { openRaw, type UnfinishedRaw } from '../run/raw-files.ts';
import type { Pause } from '../runtime/services.ts';
import { saidWithCures } from '../sources/question.ts';
import { counted } from '../text.ts';
import { type Listed, type ListOneOptions, listOne } from './list-one.ts';
import { triedField } from './tried-field.ts';

/** The most readings of a listing with pages that do not prove that they are all. */
const READINGS = 3;

export interface ListedWhole extends Listed, AsyncDisposable {
  /** Has the answer, ready to be put into raw. */
  readonly raw: UnfinishedRaw;
}

export interface ListWholeOptions extends Omit<ListOneOptions, 'raw' | 'client'> {
  /** Knows until when the server wants the run to wait. */
  readonly pause: Pause;
  /** The ids that committed runs found, where they are known. */
  readonly former: () => Promise<readonly string[]>;
  /** Prepares an answer that is not proven yet. Another answer is prepared again. */
  readonly prepare: (listed: ListedWhole) => Promise<void>;
}

/**
 * Calls one top-level listing and prepares its answer while the connections rest. Does both again if the answer
 * may belong to another call.
 */
export async function listWhole(options: ListWholeOptions): Promise<ListedWhole> {
  const { source, services, pause } = options;
  for (let isAgain = false; ; isAgain = true) {
    const client = provenClient(services.client(source, { width: 1, pause }));
    const listed = await readUntilWhole({ ...options, client });
    try {
      if (isAgain && client.unasked() > 0) listed.raw.notes.add(null, [ASKED_AGAIN]);
      await options.prepare(listed);
      if (await client.isProven()) return listed;
    } catch (error) {
      await listed[Symbol.asyncDispose]();
      throw error;
    }
    await listed[Symbol.asyncDispose]();
  }
}

/**
 * Reads some listings in pages again: those without a declared total, those with a record on two pages, and
 * those with a total that falls. The reason: while page 1 is read, a record may move from page 2 to page 1
 * unseen. A good reading has every record once and the declared number, and lacks none of an earlier reading.
 * Where all readings are equal and no former record is missing, the server really has the repeated records
 * twice. The setting `complete` says the same.
 */
async function readUntilWhole(
  options: ListWholeOptions & Pick<ListOneOptions, 'client'>,
): Promise<ListedWhole> {
  const { lake } = options.services;
  const seen = new Set<string>();
  const orders = new Set<number>();
  let idField: string | undefined;
  for (let reading = 1; ; reading++) {
    const raw = await openRaw(lake);
    try {
      const listed = await listOne({ ...options, raw, idField });
      if (reading === 1 && idField === undefined && listed.fitting.length > 0) {
        idField = await triedField(options, listed.fitting);
        if (idField !== undefined && idField !== listed.found.idField) {
          await raw[Symbol.asyncDispose]();
          reading = 0;
          continue;
        }
      }
      const { ids, found, repeats, last } = listed;
      const lacking = ids === undefined ? 0 : [...seen].filter((id) => !ids.has(id)).length;
      orders.add(listed.order);
      const isGood =
        ids === undefined ||
        found.isWhole ||
        (reading > 1 && lacking + repeats === 0 && !listed.isBelow) ||
        (reading === READINGS && orders.size === 1 && (await hasAllTwice(options, listed)));
      if (isGood || reading === READINGS) {
        if (isGood) await raw.append(last);
        else {
          const question = unstable(options, { ...listed, lacking });
          raw.questions.add(question);
          const { code: errorCode, says, cures } = question;
          const message = saidWithCures(says, cures);
          await raw.append({ ...last, outcome: 'failed', errorCode, message });
        }
        // Later runs do not learn what is in question.
        const end = isGood ? listed : { ...listed, ids: undefined, found: { records: 0, isWhole: false } };
        return { ...end, raw, [Symbol.asyncDispose]: () => raw[Symbol.asyncDispose]() };
      }
      for (const id of ids) seen.add(id);
    } catch (error) {
      await raw[Symbol.asyncDispose]();
      throw error;
    }
    await raw[Symbol.asyncDispose]();
  }
}

/**
 * True where repeated records do not mean that records moved. Either the config says so, or earlier runs had
 * them too, or no record of the earlier runs is missing.
 */
async function hasAllTwice(
  { source, resource, lock, former }: ListWholeOptions,
  { ids, repeats, isBelow }: Listed,
): Promise<boolean> {
  if (source.resources[resource.name]?.complete === true) return true;
  if (isBelow) return false;
  if (repeats <= (lock?.repeats ?? 0)) return true;
  const before = await former();
  return before.length > 0 && before.every((id) => ids?.has(id));
}

/** The question about records that move between pages during the reading. */
function unstable(
  { source, resource }: ListWholeOptions,
  { lacking, repeats, isBelow }: Pick<Listed, 'repeats' | 'isBelow'> & { readonly lacking: number },
) {
  const seen = [
    ...(repeats > 0 || !isBelow ? [`${counted(repeats, 'record')} came twice`] : []),
    ...(lacking > 0
      ? [`${counted(lacking, 'record')} of an earlier reading ${lacking === 1 ? 'was' : 'were'} missing`]
      : []),
    ...(isBelow ? ['fewer records came than the server declared'] : []),
  ];
  return {
    code: 'LISTING_UNSTABLE',
    source: source.name,
    resource: resource.name,
    says: `Records move between the pages while they are read: in the last of ${READINGS} readings ${seen.join(', and ')}. The committed records stay as they were; run when the server is quieter`,
    cures: [
      {
        setting: `resources.${resource.name}.complete`,
        choices: [true],
        when: 'these records are right',
      },
    ],
  } as const;
}
