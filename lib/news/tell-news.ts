import * as z from 'zod';
import type { Clock } from '../api/clock.ts';
import type { Config } from '../config/config.ts';
import type { WebhookSecret } from '../config/secrets.ts';
import { type Head, readHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { collectReport } from '../report/collect-report.ts';
import { type PageAssets, renderPage } from '../report/render-page.ts';
import type { ReportData } from '../report/report-data.ts';
import { readSummary } from '../run/summary.ts';
import { type Attempt, attemptName } from '../run-id.ts';
import { openTables, quarterBefore } from '../views/open-tables.ts';
import type { NewsEvent } from './events.ts';
import { bodyOf, type Message, messageOf } from './message.ts';
import { postWebhook } from './post-webhook.ts';
import { foundIn, runNews } from './run-news.ts';
import { type Found, foundLast, takeTelling } from './told.ts';

/** What Step Functions says of an execution that ended, on EventBridge. */
export const executionEnded = z.object({
  executionArn: z.string(),
  stateMachineArn: z.string(),
  status: z.string(),
  /** JSON; of an execution that exports it has the run and the attempt. */
  input: z.string().nullish(),
});
export type ExecutionEnded = z.infer<typeof executionEnded>;

const exportInput = z.object({ runId: z.string(), attempt: z.number().int().positive() });

export interface NewsServices {
  readonly lake: Lake;
  readonly config: Pick<Config, 'name' | 'timeZone' | 'notify'>;
  /** The state machine that exports; another one does an operator's commands. */
  readonly stateMachineArn: string;
  readonly now: () => Date;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  /** The folder of the views. */
  readonly queries: URL;
  readonly page: PageAssets;
  /** Puts a page under each of the names, and gives the address of the first. */
  readonly putPage: (names: readonly string[], html: string) => Promise<string>;
  readonly publish: (events: readonly NewsEvent[], at: Date) => Promise<void>;
  readonly webhook: (secret: string) => Promise<WebhookSecret>;
  readonly sendToTopic: (arn: string, message: Message) => Promise<void>;
}

/**
 * Tells of an execution that ended: after a commit it puts the page, then events go to EventBridge and at most one message
 * to whom `notify` names. Of an attempt that was told already it tells nothing. Throws what a receiver threw; called again,
 * it goes on.
 */
export async function tellNews(
  ended: ExecutionEnded,
  services: NewsServices,
): Promise<{ readonly told: boolean; readonly events: number; readonly messages: number }> {
  const { lake } = services;
  const head = (await readHead(lake))?.head;
  const exported =
    ended.stateMachineArn === services.stateMachineArn
      ? exportInput.parse(JSON.parse(ended.input ?? '{}'))
      : undefined;
  const isCommitted =
    head !== undefined &&
    (exported === undefined ? ended.status === 'SUCCEEDED' : attemptName(exported) === attemptName(head));
  if (isCommitted) {
    const { events, found } = await ofCommit(head, services);
    return await tellOnce(events, { of: head, found }, services);
  }
  // An operator hears from the command how it ended. A run that another replaced meanwhile has nothing to show.
  if (exported === undefined || ended.status === 'SUCCEEDED') return { told: false, events: 0, messages: 0 };
  const failed = { version: 1, installation: services.config.name, ...exported } as const;
  const detail = { ...failed, status: ended.status, execution: ended.executionArn };
  return await tellOnce([{ type: 'Run Failed', detail }], { of: exported, found: undefined }, services);
}

async function ofCommit(
  head: Head,
  services: NewsServices,
): Promise<{ readonly events: readonly NewsEvent[]; readonly found: Found }> {
  const { lake, config } = services;
  const [summary, before] = [await readSummary(lake, head), await foundLast(lake)];
  const { report, findings, news } = await putReport(head, services);
  const options = { installation: config.name, head, summary, findings, news, before, report };
  return { events: runNews(options), found: foundIn(options) };
}

/** Puts the page as `report.html` and under its date; gives its address, what it found and what is new. */
async function putReport(
  { exportDate }: Head,
  { lake, config, now, queries, page, putPage }: NewsServices,
): Promise<{ readonly report: string } & Pick<ReportData, 'findings' | 'news'>> {
  using tables = await openTables(lake, { queries, since: quarterBefore(exportDate) });
  const data = await collectReport(tables, config, now());
  const names = ['report.html', `report-${exportDate}.html`];
  const { findings, news } = data;
  return { report: await putPage(names, renderPage(data, page)), findings, news };
}

async function tellOnce(
  events: readonly NewsEvent[],
  { of, found }: { readonly of: Attempt; readonly found: Found | undefined },
  services: NewsServices,
) {
  const { lake, config, now } = services;
  const telling = await takeTelling(lake, of);
  if (telling === undefined) return { told: false, events: 0, messages: 0 };
  try {
    await services.publish(events, now());
    const message = config.notify && messageOf(events, config.notify);
    if (message !== undefined) await send(message, services);
    await telling.done(found);
    return { told: true, events: events.length, messages: message === undefined ? 0 : 1 };
  } catch (error) {
    await telling.failed();
    throw error;
  }
}

async function send(message: Message, services: NewsServices): Promise<void> {
  const { notify } = services.config;
  const { clock, now, random } = services;
  if (notify?.webhookSecret !== undefined) {
    const webhook = await services.webhook(notify.webhookSecret);
    const body = bodyOf(message, notify.form);
    await postWebhook(webhook, { body, id: attemptName(message), clock, now, random });
  }
  if (notify?.topicArn !== undefined) await services.sendToTopic(notify.topicArn, message);
}
