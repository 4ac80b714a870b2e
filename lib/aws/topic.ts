import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Message } from '../news/message.ts';

/** SNS takes ASCII of at most 99 characters as the subject of an email. */
const LONGEST_SUBJECT = 99;

/** Sends a message to the subscribers of a topic: the words for people, with the address of the page below. */
export async function sendToTopic(
  TopicArn: string,
  { installation, status, text, report }: Message,
  client = new SNSClient(),
): Promise<void> {
  const Subject = `signage-export ${installation}: ${status}`.slice(0, LONGEST_SUBJECT);
  const Message = report === null ? text : `${text}\n\n${report}`;
  await client.send(new PublishCommand({ TopicArn, Subject, Message }));
}
