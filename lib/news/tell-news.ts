import * as z from 'zod';
import type { Config } from '../config/config.ts';
import type { WebhookSecret } from '../config/secrets.ts';
import { ExportError, errorName } from '../errors.ts';
import { type Head, readHead } from '../lake/head.ts';
import { collectNews, type FoundNews } from '../report/collect-news.ts';
import { openReport, type ReportTables } from '../report/days/open-report.ts';
import { readSummary } from '../run/summary.ts';
import { type Attempt, attemptName } from '../run-id.ts';
import { quarterBefore } from '../views/open-tables.ts';
import type { NewsEvent } from './events.ts';
import { bodyOf, type Message, messageOf, type Notify } from './message.ts';
import { postWebhook } from './post-webhook.ts';
import { emptyPages, NEWEST_PAGE, type PageServices, putPage } from './put-page.ts';
import { foundIn, runNews } from './run-news.ts';
import { type Found, foundLast, noteTold, WAYS, type Way, waysTold } from './told.ts';

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
  readonly config: Pick<Config, 'name' | 'timeZone' | 'sources' | 'notify'>;
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

/** What to report about an attempt. */
interface Telling {
  readonly of: Attempt;
  /** The events for a way that last reported this; undefined for a first report. */
  readonly since: (before: Found | undefined) => readonly NewsEvent[];
  /** What the next commit compares with, for a way that last reported this; undefined if nothing is known. */
  readonly found: (before: Found | undefined) => Found | undefined;
}

const NOTHING = { told: false, events: 0, messages: 0 };

/** What could not be reported or put, and what it threw. */
type Fault = readonly [Way | 'findings' | 'page', unknown];

/**
 * Reports an ended execution: events go to EventBridge and a message to the receivers in `notify`. After a
 * commit a page is put last: it costs most, and its fault cannot hold up the others. Each way is separate: one
 * that refuses hides nothing from the others. Throws the fault of a way, NEWS_NOT_TOLD for more than one. Called
 * again, it repeats those that refused.
 */
export async function tellNews(ended: ExecutionEnded, services: NewsServices): Promise<typeof NOTHING> {
  const head = (await readHead(services.lake))?.head;
  const exported =
    ended.stateMachineArn === services.stateMachineArn
      ? exportInput.parse(JSON.parse(ended.input ?? '{}'))
      : undefined;
  const isCommitted =
    head !== undefined &&
    (exported === undefined ? ended.status === 'SUCCEEDED' : attemptName(exported) === attemptName(head));
  // The command itself shows an operator how it ended. A run that another has replaced has nothing to show.
  const of = isCommitted ? head : ended.status === 'SUCCEEDED' ? undefined : exported;
  if (of === undefined) return NOTHING;
  const options: TellOptions = { services, faults: [] };
  const purges = exported === undefined && /"command":\s*"purge(-record)?"/.test(ended.input ?? '');
  const run = {
    version: 1,
    installation: services.config.name,
    runId: of.runId,
    attempt: of.attempt,
  } as const;
  const detail = { ...run, status: ended.status, execution: ended.executionArn };
  const since = () => [{ type: 'Run Failed', detail } as const];
  const told = isCommitted
    ? await tellCommit(head, { purges, ...options })
    : await tellEach({ of, since, found: () => undefined }, options);
  if (options.faults.length > 0) throw notTold(of, options.faults);
  return told;
}

async function tellCommit(
  head: Head,
  { purges, services, faults }: { readonly purges: boolean } & TellOptions,
): Promise<typeof NOTHING> {
  const { lake, config, queries, pages } = services;
  const attempted = async <Result>(what: Fault[0], step: () => Promise<Result>) => {
    try {
      return await step();
    } catch (error) {
      faults.push([what, error]);
      return undefined;
    }
  };
  const summary = await readSummary(lake, head);
  let tables: ReportTables | undefined;
  try {
    const figures: FoundNews | undefined = await attempted('findings', async () => {
      tables = await openReport(lake, {
        queries,
        since: quarterBefore(head.exportDate),
        timeLeft: services.timeLeft,
      });
      return await collectNews(tables, { config, now: services.now() });
    });
    const report = pages.addressOf(NEWEST_PAGE);
    const options = { installation: config.name, head, summary, figures, report };
    const since: Telling['since'] = (before) => runNews({ ...options, before });
    const found: Telling['found'] = (before) => foundIn({ ...options, before });
    const told = await tellEach({ of: head, since, found }, { services, faults });
    await attempted('page', async () => {
      if (purges || summary.hidden !== undefined) await emptyPages(head, services);
      if (tables !== undefined) await putPage(tables, { head, found: figures }, services);
    });
    return told;
  } finally {
    tables?.[Symbol.dispose]();
  }
}

interface TellOptions {
  readonly services: NewsServices;
  /** Takes the error of a way. */
  readonly faults: Fault[];
}

/**
 * Reports through each way that has not reported the attempt. A call that is killed between a report and its note
 * repeats it: receivers compare the run and its attempt.
 */
async function tellEach(
  { of, since, found }: Telling,
  { services, faults }: TellOptions,
): Promise<typeof NOTHING> {
  const { lake, config } = services;
  const before = await foundLast(lake);
  const done = await waysTold(lake, of);
  let told = NOTHING;
  for (const way of WAYS.filter((each) => isAsked(each, config.notify) && !done.includes(each))) {
    try {
      const sent = await tell(way, since(before[way]), services);
      const count = way === 'events' ? { events: sent } : { messages: told.messages + sent };
      told = { ...told, told: true, ...count };
      await noteTold(lake, { of, way, found: found(before[way]) });
    } catch (error) {
      faults.push([way, error]);
    }
  }
  return told;
}

function isAsked(way: Way, notify: Notify | undefined): boolean {
  if (way === 'topic') return notify?.topicArn !== undefined;
  return way === 'events' || notify?.webhookSecret !== undefined;
}

/** Returns how many events or messages it has sent: a way may want no message of such a run. */
async function tell(way: Way, events: readonly NewsEvent[], services: NewsServices): Promise<number> {
  const { notify } = services.config;
  const { now } = services;
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
    await postWebhook(webhook, { body, id: attemptName(message), now: now() });
  }
  return 1;
}

/** The error of the one way that failed; for more, one error with what each says. */
function notTold(of: Attempt, faults: readonly Fault[]): unknown {
  const [first, second] = faults;
  if (second === undefined) return first?.[1];
  const says = faults.map(([way, fault]) => {
    // The message of a foreign error may quote its input.
    if (fault instanceof ExportError) return `${way}: ${fault.code}, ${fault.message}`;
    return `${way}: ${errorName(fault)}.`;
  });
  return new ExportError({
    code: 'NEWS_NOT_TOLD',
    message: `Run ${attemptName(of)} could not be told in ${faults.length} ways. ${says.join(' ')}`,
    cause: new AggregateError(faults.map(([, fault]) => fault)),
  });
}
