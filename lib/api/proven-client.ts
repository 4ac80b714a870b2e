import type { NoteSaid } from '../sources/note.ts';
import type { ApiClient } from './client.ts';
import type { Stretch } from './wire/line.ts';

/** A client for a piece of work that must get only the answers to its own calls. */
export interface ProvenClient extends ApiClient {
  /** True as soon as one of its answers may be another call's: the work is in vain. */
  readonly isInVain: () => boolean;
  /**
   * Waits until its connections have been idle for a round trip, which reveals every extra answer. False if
   * one of its answers may be another call's. The caller then repeats the work, on new connections.
   */
  readonly isProven: () => Promise<boolean>;
}

export function provenClient(client: ApiClient): ProvenClient {
  const stretches = new Set<Stretch>();
  const before = client.doubts();
  const isInVain = () => client.doubts() > before && [...stretches].some(({ isInDoubt }) => isInDoubt);
  return {
    ...client,
    get: async (target, options) => {
      const reply = await client.get(target, options);
      for (const stretch of reply.stretches) stretches.add(stretch);
      return reply;
    },
    isInVain,
    isProven: async () => {
      await client.rest(stretches);
      return !isInVain();
    },
  };
}

/** The note on the answers of a repeated piece of work. */
export const ASKED_AGAIN: NoteSaid = {
  code: 'ANSWER_UNASKED',
  says: 'The server sent an answer that no call had requested, so calls were made again on new connections',
};
