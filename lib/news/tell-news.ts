import * as z from 'zod';
import type { Config } from '../config/config.ts';
import type { WebhookSecret } from '../config/secrets.ts';
import { type Head, readHead } from '../lake/head.ts';
import { collectNews } from '../report/collect-news.ts';
import { openReport } from '../report/days/open-report.ts';
import { readSummary } from '../run/summary.ts';
import { type Attempt, attemptName } from '../run-id.ts';
import { describeError, log } from '../runtime/log.ts';
import { quarterBefore } from '../views/open-tables.ts';
import type { NewsEvent } from './events.ts';
import { bodyOf, type Message, messageOf } from './message.ts';
import { type Heard, noteTold, readNotes } from './notes.ts';
import { postWebhook } from './post-webhook.ts';
import { emptyPages, NEWEST_PAGE, type PageServices, putPage } from './put-page.ts';
import { type News, runNews } from './run-news.ts';

/** EventBridge's event from Step Functions for an ended execution. */
export const executionEnded = z.object({
  executionArn: z.string(),
  stateMachineArn: z.string(),
  status: z.string(),
  /** JSON; for an exporting execution it has the run and the attempt. */
  input: z.string().nullish(),
});
export type ExecutionEnded = z.infer<typeof executionEnded>;

const exportInput = z.object({ runId: z.string(), attempt: z.number().int().positive() });

export interface NewsServices extends PageServices {
  readonly config: Pick<Config, 'name' | 'timeZone' | 'schedule' | 'sources' | 'notify'>;
  /** The exporting state machine; another one runs an operator's commands. */
  readonly stateMachineArn: string;
  /** Milliseconds for the page. */
  readonly timeLeft: () => number;
  /** The folder of the views. */
  readonly queries: URL;
  readonly publish: (events: readonly NewsEvent[], at: Date) => Promise<void>;
  readonly webhook: (secret: string) => Promise<WebhookSecret>;
  readonly sendToTopic: (arn: string, message: Message) => Promise<void>;
}

/** Takes a step, and logs what it throws: no fault hides a later step. */
type Attempting = <Result>(way: string, step: () => Promise<Result>) => Promise<Result | undefined>;

/**
 * Reports an ended execution: events go to EventBridge and a message to the receivers in `notify`. After a
 * commit a page is put last: it costs most, and its fault cannot hold up the others. Each way is separate: one
 * that refuses hides nothing from the others. Throws the first fault. Called again, it repeats those that refused.
 */
export async function tellNews(ended: ExecutionEnded, services: NewsServices): Promise<void> {
  const head = (await readHead(services.lake))?.head;
  const { executionArn: execution, stateMachineArn, status, input } = ended;
  const isExport = stateMachineArn === services.stateMachineArn;
  const of = isExport ? exportInput.parse(JSON.parse(input ?? '{}')) : undefined;
  const faults: unknown[] = [];
  const attempt: Attempting = (way, step) =>
    step().catch((error: unknown) => {
      log('error', 'does not tell', { stage: 'news', execution, way, error: describeError(error) });
      faults.push(error);
      return undefined;
    });
  if (head && (of === undefined ? status === 'SUCCEEDED' : attemptName(of) === attemptName(head))) {
    const purges = !isExport && /"command":\s*"purge(-record)?"/.test(input ?? '');
    await tellCommit(head, { purges, services, attempt });
  } else if (of !== undefined && status !== 'SUCCEEDED') {
    // The command itself shows an operator how it ended. A run that another has replaced has nothing to show.
    const detail = { version: 1, installation: services.config.name, ...of, status, execution } as const;
    const events = [{ type: 'Run Failed', detail } as const];
    await tellEach(of, (heard = { asks: [] }) => ({ events, heard }), { services, attempt });
  }
  if (faults.length > 0) throw faults[0];
}

interface TellOptions {
  readonly services: NewsServices;
  readonly attempt: Attempting;
}

async function tellCommit(
  head: Head,
  { purges, services, attempt }: { readonly purges: boolean } & TellOptions,
): Promise<void> {
  const { lake, config, queries, pages, timeLeft, now } = services;
  const summary = await readSummary(lake, head);
  using tables = await attempt('findings', () =>
    openReport(lake, { queries, since: quarterBefore(head.exportDate), timeLeft }),
  );
  const figures = tables && (await attempt('findings', () => collectNews(tables, { config, now: now() })));
  const report = pages.addressOf(NEWEST_PAGE);
  const found = { installation: config.name, head, summary, figures, report };
  await tellEach(head, (before) => runNews({ ...found, before }), { services, attempt });
  await attempt('page', async () => {
    if (purges || summary.hidden !== undefined) await emptyPages(head, services);
    if (tables !== undefined) await putPage(tables, { head, found: figures }, services);
  });
}

/**
 * Reports through each way that has no note of the attempt. A call that is killed between a report and its note
 * repeats it: receivers compare the run and its attempt.
 */
async function tellEach(
  of: Attempt,
  newsSince: (before: Heard | undefined) => News,
  { services, attempt }: TellOptions,
): Promise<void> {
  const { ways } = await readNotes(services.lake);
  for (const [way, send] of waysOf(services)) {
    if (ways[way]?.attempts.includes(attemptName(of))) continue;
    await attempt(way, async () => {
      const { events, heard } = newsSince(ways[way]);
      await send(events);
      await noteTold(services.lake, { of, way, heard });
    });
  }
}

type Send = (events: readonly NewsEvent[]) => Promise<void>;

/** The ways of reporting, in their order: one that may need a wait comes last. */
function waysOf({ config: { notify }, publish, sendToTopic, webhook, now }: NewsServices) {
  const ways = new Map<string, Send>([['events', (events) => publish(events, now())]]);
  if (notify === undefined) return ways;
  const { topicArn, webhookSecret, form } = notify;
  /** A way may want no message of such a run. */
  const addMessages = (way: string, send: (message: Message) => Promise<void>) =>
    ways.set(way, async (events) => {
      const message = messageOf(events, notify);
      if (message !== undefined) await send(message);
    });
  if (topicArn !== undefined) addMessages('topic', (message) => sendToTopic(topicArn, message));
  if (webhookSecret !== undefined)
    addMessages('webhook', async (message) => {
      const post = { body: bodyOf(message, form), id: attemptName(message), now: now() };
      await postWebhook(await webhook(webhookSecret), post);
    });
  return ways;
}
