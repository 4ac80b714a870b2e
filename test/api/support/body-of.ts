import { Readable } from 'node:stream';
import { type Body, type ReadBodyOptions, readBody } from '#lib/api/body.ts';

/** A body that comes in pieces of so many bytes. Fails as readBody does. */
export async function bodyOf(
  content: string | Buffer,
  { pieceBytes = 65_536, ...more }: Partial<ReadBodyOptions> & { readonly pieceBytes?: number } = {},
): Promise<Body> {
  const bytes = Buffer.from(content);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const stream = Readable.from(pieces, { objectMode: false });
  const defaults = { status: 200, contentType: 'application/json', maxBytes: 2 ** 31, secrets: [] };
  const body = await readBody({ stream, ...defaults, ...more });
  if (body === null) throw new Error('the body is empty');
  return body;
}
