import type { NoteSaid } from '../sources/note.ts';
import type { ApiClient } from './client.ts';
import type { Stretch } from './wire/connections.ts';

/** A client for a piece of work, all of whose answers must be those of its own calls. */
export interface ProvenClient extends ApiClient {
  /** True as soon as one of its answers may be another call's: the work is in vain. */
  readonly isInVain: () => boolean;
  /**
   * Waits until the connections that it used have been idle for a round trip, which shows every answer too many. False if one of its
   * answers may be another call's: the work is to be done again, and calls are then made on new connections.
   */
  readonly isProven: () => Promise<boolean>;
}

export function provenClient(client: ApiClient): ProvenClient {
  const stretches = new Set<Stretch>();
  const before = client.unasked();
  const isInVain = () => client.unasked() > before && [...stretches].some(({ isShifted }) => isShifted);
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

/** What is said of the answers of a piece of work that was done again. */
export const ASKED_AGAIN: NoteSaid = {
  code: 'ANSWER_UNASKED',
  says: 'The server sent an answer that no call had requested, so calls were made again on new connections',
};
