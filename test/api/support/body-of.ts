import { type Body, type BodyOptions, createBodyReader } from '#lib/api/body/body.ts';
import { createSecretFinder } from '#lib/api/body/secret-finder.ts';

/** A body that comes in pieces of so many bytes. Fails as its reader does. */
export async function bodyOf(
  content: string | Buffer,
  { pieceBytes = 65_536, ...more }: Partial<BodyOptions> & { readonly pieceBytes?: number } = {},
): Promise<Body> {
  const bytes = Buffer.from(content);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const secrets = createSecretFinder([]);
  const limits = { maxBytes: 2 ** 31, maxDepth: 64 };
  const defaults = { status: 200, contentType: 'application/json', ...limits, secrets };
  const reader = createBodyReader({ ...defaults, ...more });
  for (const piece of pieces) reader.push(piece);
  const body = reader.end();
  if (body === null) throw new Error('the body is empty');
  return body;
}
