import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { ExportError } from '../errors.ts';
import { EVENT_SOURCE, type NewsEvent } from '../news/events.ts';
import type { Message } from '../news/message.ts';
import type { Pages } from '../news/put-page.ts';
import { PAGES } from '../report/page-files.ts';
import type { Environment } from '../runtime/environment.ts';
import { counted } from '../text.ts';
import { consoleHost } from './console-host.ts';
import { s3Objects } from './s3-objects.ts';

/** The most entries of one PutEvents. */
const MOST_AT_ONCE = 10;

/** Puts events on the account's default bus. Throws EVENTS_REFUSED where it does not take one. */
export async function putEvents(events: readonly NewsEvent[], at: Date): Promise<void> {
  const client = new EventBridgeClient();
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

/** SNS takes ASCII of at most 99 characters as the subject of an email. */
const LONGEST_SUBJECT = 99;

/** Sends a message to the subscribers of a topic: the text for people, with the address of the page below. */
export async function sendToTopic(
  TopicArn: string,
  { installation, status, text, report }: Message,
): Promise<void> {
  const Subject = `signage-export ${installation}: ${status}`.slice(0, LONGEST_SUBJECT);
  const Message = report === null ? text : `${text}\n\n${report}`;
  await new SNSClient().send(new PublishCommand({ TopicArn, Subject, Message }));
}

/**
 * The bucket of results: puts a page under names, and returns the address where the AWS console shows it to
 * readers with rights.
 */
export function resultPages(env: Pick<Environment, 'results' | 'region' | 'pathStyle'>): Pages {
  const { results, region, pathStyle } = env;
  const objects = s3Objects({ bucket: results, pathStyle });
  return {
    addressOf: (name) =>
      `https://${region}.${consoleHost(region)}/s3/object/${results}?region=${region}&prefix=${PAGES}${name}`,
    put: async (names, html) => {
      for (const name of names) {
        await objects.put(`${PAGES}${name}`, Buffer.from(html), { contentType: 'text/html; charset=utf-8' });
      }
    },
  };
}
