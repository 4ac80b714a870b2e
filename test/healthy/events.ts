/** What happens in an installation between two days, each in one installation or another every week. */
export const EVENTS = [
  // A few percent of players come, or go.
  'grow',
  'shrink',
  // A tenth of the players goes with a customer.
  'customer-leaves',
  'replace-player',
  // Every player has the same number of files to fetch.
  'rollout',
  'queue-empties',
  'rename-group',
  'new-group',
  'buy-licences',
  'new-licence-type',
  'screens-off',
  'screens-on',
  'mount-screen',
  // Some players have no value any more in a field, others have one.
  'move-values',
  // The server is updated: its version is another one since.
  'update',
  'order-storage',
  'add-slot',
] as const;

export type EventName = (typeof EVENTS)[number];

export interface Event {
  /** From 1, the second day. */
  readonly day: number;
  readonly what: EventName;
  /** Of a rollout: the files that each player has. @default drawn */
  readonly files?: number;
}
