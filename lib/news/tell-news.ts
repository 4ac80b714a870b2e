import * as z from 'zod';
import type { Clock } from '../api/clock.ts';
import type { Config } from '../config/config.ts';
import type { WebhookSecret } from '../config/secrets.ts';
import { ExportError } from '../errors.ts';
import { type Head, readHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { collectReport } from '../report/collect-report.ts';
import { type PageAssets, renderPage } from '../report/render-page.ts';
import type { ReportData } from '../report/report-data.ts';
import { readSummary } from '../run/summary.ts';
import { type Attempt, attemptName } from '../run-id.ts';
import { openTables, quarterBefore } from '../views/open-tables.ts';
import type { NewsEvent } from './events.ts';
import { bodyOf, type Message, messageOf, type Notify } from './message.ts';
import { postWebhook } from './post-webhook.ts';
import { foundIn, runNews } from './run-news.ts';
import {
  earlierPages,
  type Found,
  foundLast,
  notePage,
  noteRefused,
  noteTold,
  takeWay,
  WAYS,
  type Way,
} from './told.ts';

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
  readonly config: Pick<Config, 'name' | 'timeZone' | 'sources' | 'notify'>;
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

/** What is to be told of an attempt. */
interface Telling {
  readonly of: Attempt;
  /** The events for who was told that last; undefined for who was told nothing yet. */
  readonly since: (before: Found | undefined) => readonly NewsEvent[];
  /** What the next commit is compared with; undefined where nothing was committed. */
  readonly found: Found | undefined;
}

export interface Told {
  readonly told: boolean;
  readonly events: number;
  readonly messages: number;
}

const NOTHING: Told = { told: false, events: 0, messages: 0 };

/**
 * Tells of an execution that ended: after a commit it puts the page, then events go to EventBridge and a message to whom
 * `notify` names. Each way is told by itself and once: what one refuses hides nothing from the others. Throws what a way
 * threw, NEWS_UNSURE where a call was killed while it told one, NEWS_NOT_TOLD for several; called again, it tells those that
 * refused.
 */
export async function tellNews(ended: ExecutionEnded, services: NewsServices): Promise<Told> {
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
    const purges = exported === undefined && /"command":\s*"purge"/.test(ended.input ?? '');
    return await tellEach(await ofCommit(head, { purges, services }), services);
  }
  // An operator hears from the command how it ended. A run that another replaced meanwhile has nothing to show.
  if (exported === undefined || ended.status === 'SUCCEEDED') return NOTHING;
  const failed = { version: 1, installation: services.config.name, ...exported } as const;
  const detail = { ...failed, status: ended.status, execution: ended.executionArn };
  const since = () => [{ type: 'Run Failed', detail } as const];
  return await tellEach({ of: exported, since, found: undefined }, services);
}

async function ofCommit(
  head: Head,
  { purges, services }: { readonly purges: boolean; readonly services: NewsServices },
): Promise<Telling> {
  const { lake, config } = services;
  const summary = await readSummary(lake, head);
  const { report, findings, news } = await putReport(head, services);
  const gone = purges || summary.hidden !== undefined ? await emptyPages(head, services) : [];
  await notePage(lake, { exportDate: head.exportDate, gone });
  const options = { installation: config.name, head, summary, findings, news, report };
  return { of: head, since: (before) => runNews({ ...options, before }), found: foundIn(options) };
}

/** Puts the page as `report.html` and under its date; gives its address, what it found and what is new. */
async function putReport(
  { exportDate }: Head,
  { lake, config, now, queries, page, putPage }: NewsServices,
): Promise<{ readonly report: string } & Pick<ReportData, 'findings' | 'news'>> {
  using tables = await openTables(lake, { queries, since: quarterBefore(exportDate) });
  const data = await collectReport(tables, config, now());
  const names = ['report.html', pageOf(exportDate)];
  const { findings, news } = data;
  return { report: await putPage(names, renderPage(data, page)), findings, news };
}

/** Pages of earlier dates show what is purged or hidden now. Gives the dates whose pages show nothing any more. */
async function emptyPages({ exportDate }: Head, { lake, putPage }: NewsServices): Promise<readonly string[]> {
  const dates = await earlierPages(lake, exportDate);
  if (dates.length > 0) await putPage(dates.map(pageOf), EMPTY_PAGE);
  return dates;
}

const pageOf = (date: string) => `report-${date}.html`;
const EMPTY_PAGE =
  '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>signage-export</title><p>This page was emptied, for what it showed was purged or hidden. The newest page is report.html.</p></html>\n';

/** Tells each way that is open. What is sent is noted before and after, so that no way is told twice. */
async function tellEach({ of, since, found }: Telling, services: NewsServices): Promise<Told> {
  const { lake, config } = services;
  const before = await foundLast(lake);
  const faults: [Way, unknown][] = [];
  let told = NOTHING;
  for (const way of WAYS.filter((each) => isAsked(each, config.notify))) {
    const taken = await takeWay(lake, { of, way });
    if (taken === 'begun') faults.push([way, unsure(of, way)]);
    if (taken !== 'taken') continue;
    try {
      const sent = await tell(way, since(before[way]), services);
      const count = way === 'events' ? { events: sent } : { messages: told.messages + sent };
      told = { ...told, told: true, ...count };
    } catch (error) {
      await noteRefused(lake, { of, way });
      faults.push([way, error]);
      continue;
    }
    await noteTold(lake, { of, way, found });
  }
  if (faults.length > 0) throw notTold(of, faults);
  return told;
}

function isAsked(way: Way, notify: Notify | undefined): boolean {
  if (way === 'topic') return notify?.topicArn !== undefined;
  return way === 'events' || notify?.webhookSecret !== undefined;
}

/** Gives how many events or messages it has sent: a way may want no message of such a run. */
async function tell(way: Way, events: readonly NewsEvent[], services: NewsServices): Promise<number> {
  const { notify } = services.config;
  const { clock, now, random } = services;
  if (way === 'events') {
    await services.publish(events, now());
    return events.length;
  }
  const message = notify && messageOf(events, notify);
  if (message === undefined) return 0;
  if (way === 'topic' && notify?.topicArn !== undefined) await services.sendToTopic(notify.topicArn, message);
  if (way === 'webhook' && notify?.webhookSecret !== undefined) {
    const webhook = await services.webhook(notify.webhookSecret);
    const body = bodyOf(message, notify.form);
    await postWebhook(webhook, { body, id: attemptName(message), clock, now, random });
  }
  return 1;
}

function unsure(of: Attempt, way: Way): ExportError {
  return new ExportError({
    code: 'NEWS_UNSURE',
    message: `Another call began to tell run ${attemptName(of)} by ${way} and has not noted its end: it was killed, or is under way. It is not told again, for it may have come. \`status\` says what the run brought, and the next run tells what is new since the last that was told for certain.`,
  });
}

/** The error of the one way that was not told; of several, one with what each says. */
function notTold(of: Attempt, faults: readonly (readonly [Way, unknown])[]): unknown {
  const [first, second] = faults;
  if (second === undefined) return first?.[1];
  const says = faults.map(([way, fault]) => {
    // The message of a foreign error may quote its input.
    if (fault instanceof ExportError) return `${way}: ${fault.code}, ${fault.message}`;
    return `${way}: ${fault instanceof Error ? fault.name : 'unknown error'}.`;
  });
  return new ExportError({
    code: 'NEWS_NOT_TOLD',
    message: `Run ${attemptName(of)} could not be told in ${faults.length} ways. ${says.join(' ')}`,
    cause: new AggregateError(faults.map(([, fault]) => fault)),
  });
}
