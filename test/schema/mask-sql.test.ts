import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { openDuckDb } from '#lib/runtime/duckdb.ts';
import { maskKeyId, maskMacro } from '#lib/schema/cells/mask-sql.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { temporaryFolder } from '../support/lake-children.ts';

it.each([1, 63, 64, 65, 200])(
  'a mask by a key of %i bytes is the HMAC-SHA-256 of place and text',
  async (bytes) => {
    await using folder = await temporaryFolder();
    using db = await openDuckDb({
      folders: [folder.path],
      spillTo: folder.path,
      memoryLimitMiB: 256,
      threads: 1,
    });
    const key = Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 37 + bytes) % 256));
    await db.run(maskMacro(key));
    const [place, text] = ['players.email', "ö'; drop"];
    const rows = await db.rows(`select mask_text(${quoteLiteral(place)}, ${quoteLiteral(text)}) as mask`);
    const own = createHmac('sha256', key).update(`${place}\x1f${text}`).digest('hex');
    expect(rows).toEqual([{ mask: `${maskKeyId(key)}:${own}` }]);
  },
);
