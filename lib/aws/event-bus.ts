import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { counted } from '../counted.ts';
import { ExportError } from '../errors.ts';
import { EVENT_SOURCE, type NewsEvent } from '../news/events.ts';

/** The most entries of one PutEvents. */
const MOST_AT_ONCE = 10;

/** Puts events on the account's default bus. Throws EVENTS_REFUSED where it does not take one. */
export async function putEvents(
  events: readonly NewsEvent[],
  at: Date,
  client = new EventBridgeClient(),
): Promise<void> {
  for (let from = 0; from < events.length; from += MOST_AT_ONCE) {
    const { FailedEntryCount = 0, Entries = [] } = await client.send(
      new PutEventsCommand({
        Entries: events.slice(from, from + MOST_AT_ONCE).map(({ type, detail }) => ({
          Source: EVENT_SOURCE,
          DetailType: type,
          Detail: JSON.stringify(detail),
          Time: at,
        })),
      }),
    );
    if (FailedEntryCount === 0) continue;
    const code = Entries.find(({ ErrorCode }) => ErrorCode !== undefined)?.ErrorCode ?? 'unknown error';
    throw new ExportError({
      code: 'EVENTS_REFUSED',
      message: `EventBridge did not take ${counted(FailedEntryCount ?? 0, 'event')} of a run (${code}): what they say is in \`status\` and in the table runs.`,
    });
  }
}
