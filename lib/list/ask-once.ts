import { CallRefused } from '../api/call/call.ts';
import { CHILD_TIMEOUT_MS } from '../api/limits.ts';
import type { ApiServices } from '../runtime/services.ts';
import { topLevelResources } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';

/**
 * Requests the first listing of a source from this machine, and writes nothing. `status` is null if no answer came;
 * `refused` is null where the source answered.
 */
export async function askOnce(source: Source, services: ApiServices) {
  const [first] = topLevelResources(source.kind);
  if (first === undefined) throw new Error(`a ${source.kind} source has no listing`);
  const resource = first.name;
  const client = services.client(source, { width: 1 });
  const options = { maxBytes: source.maxListingBytes, timeoutMs: CHILD_TIMEOUT_MS };
  try {
    const reply = await client.get(first.target(source, ''), options);
    if (reply.kind === 'answer') reply.body?.close();
    const refused = reply.kind === 'answer' ? null : { code: reply.code, message: reply.message };
    return { resource, status: reply.status, refused };
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    const { code, message, status } = error;
    return { resource, status, refused: { code, message } };
  }
}
