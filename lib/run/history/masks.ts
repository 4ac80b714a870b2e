import type { Config } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import type { Services } from '../../runtime/services.ts';
import { maskKeyId, maskMacro } from '../../schema/cells/mask-sql.ts';
import type { Schema } from '../../schema/schema.ts';

interface Keyed {
  readonly services: Pick<Services, 'maskKey'>;
  readonly config: Pick<Config, 'maskSecret'>;
}

/**
 * The schema with its mask key's id; unchanged without masks. Throws UsageError MASK_KEY_MISSING, or
 * MASK_KEY_CHANGED where another key made the masks in the lake, as `committed` says.
 */
export async function withMaskKey(
  schema: Schema,
  { committed, ...keyed }: Keyed & { readonly committed: Schema | undefined },
): Promise<Schema> {
  const earlier = committed?.maskKey ?? schema.maskKey;
  if (!isMasking(schema)) return earlier === undefined ? schema : { ...schema, maskKey: earlier };
  const maskKey = maskKeyId(await readMaskKey(keyed));
  const isOther = committed !== undefined && committed.maskKey !== maskKey;
  if (isOther && (committed.maskKey !== undefined || isMasking(committed))) throw keyChanged();
  return { ...schema, maskKey };
}

/** Makes the mask macro where the schema has masks. Throws the same errors as `withMaskKey`. */
export async function openMasks(
  db: DuckDb,
  { schema, ...keyed }: Keyed & { readonly schema: Schema },
): Promise<void> {
  if (!isMasking(schema)) return;
  const key = await readMaskKey(keyed);
  if (maskKeyId(key) !== schema.maskKey) throw keyChanged();
  await db.run(maskMacro(key));
}

function isMasking({ tables }: Schema): boolean {
  return Object.values(tables).some(({ columns }) => columns.some(({ masked }) => masked.length > 0));
}

async function readMaskKey({ services: { maskKey }, config: { maskSecret } }: Keyed): Promise<Buffer> {
  if (maskSecret !== undefined && maskKey !== undefined) {
    return Buffer.from(await maskKey(maskSecret), 'utf8');
  }
  throw new UsageError(
    maskSecret === undefined
      ? 'The config masks columns but has no maskSecret: name the secret that holds the key, {"key": "…"}.'
      : 'The config masks columns: name the file with the key of maskSecret by --secrets.',
    'MASK_KEY_MISSING',
  );
}

function keyChanged(): UsageError {
  return new UsageError(
    'Another key than that of maskSecret made the masks of this lake, so one value would have two masks. Put the old key back, or make all masks again with `schema new-mask-key`.',
    'MASK_KEY_CHANGED',
  );
}
