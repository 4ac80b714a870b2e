import { parseConfig } from '#lib/config/parse-config.ts';
import { readHead } from '#lib/lake/head.ts';
import type { NewsEvent } from '#lib/news/events.ts';
import type { Message } from '#lib/news/message.ts';
import { type ExecutionEnded, type NewsServices, tellNews } from '#lib/news/tell-news.ts';
import { bundlePage } from '#lib/report/page-assets.ts';
import { RESOURCES } from '#lib/sources/resources.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';

export const MACHINE = 'arn:aws:states:eu-central-1:111122223333:stateMachine:lab-export';
export const KEY = 'a key that nobody guesses';

/** An installation whose runs are told to a webhook, a topic and a bus; `pages` and `published` are what it put and sent. */
export async function newsLab() {
  const lab = await exportLab({ players: 30, seed: 7 });
  const page = await bundlePage();
  const pages = new Map<string, string>();
  const published: NewsEvent[][] = [];
  /** The attempt of the committed head, or one that committed nothing. */
  const made = { attempt: 0 };
  const ended = (runId: string, settings: Partial<ExecutionEnded> = {}) => ({
    executionArn: `${MACHINE.replace('stateMachine', 'execution')}:${runId}`,
    stateMachineArn: MACHINE,
    status: 'SUCCEEDED',
    input: JSON.stringify({ runId, attempt: made.attempt, sources: ['berlin', 'vault'] }),
    ...settings,
  });

  /** Tells of an execution to a webhook of that address. Returns the events. */
  const told = async (of: ExecutionEnded, url: string, notify = {}, more: Partial<NewsServices> = {}) => {
    const written = JSON.parse(lab.written.text);
    const config = parseConfig(
      JSON.stringify({ ...written, notify: { webhookSecret: 'lab/hook', ...notify } }),
      lab.written.file,
    );
    const events: NewsEvent[] = [];
    await tellNews(of, {
      lake: lab.lake,
      config,
      stateMachineArn: MACHINE,
      now: () => new Date(),
      timeLeft: () => 600_000,
      queries: QUERIES,
      page: async () => page,
      pages: {
        addressOf: (name) => `https://console.example.com/${name}`,
        put: async (names, html) => {
          for (const name of names) pages.set(name, html);
        },
      },
      publish: async (each) => void events.push(...each),
      webhook: async () => ({ url, key: KEY }),
      sendToTopic: async () => {},
      ...more,
    });
    published.push(events);
    return events;
  };

  const run = async (runTime: string) => {
    const { runId } = await lab.run(runTime);
    made.attempt = (await readHead(lab.lake))?.head.attempt ?? 0;
    return runId;
  };

  return {
    lab,
    pages,
    published,
    made,
    ended,
    told,
    run,
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

/** The texts in the cells of records: names, and others that are long enough to be told from any word. */
export async function textsOfRecords(lab: ExportLab) {
  const [names, others] = [new Set<string>(), new Set<string>()];
  for (const { name } of RESOURCES) {
    for (const row of await lab.rows(`select * exclude (export_source, export_run_id) from ${name}`))
      for (const [column, cell] of Object.entries(row)) {
        if (typeof cell !== 'string' || cell.startsWith('2026-')) continue;
        if (/(name|_type|slot|_id)$/.test(column)) names.add(cell);
        else if (cell.length > 4) others.add(cell);
      }
  }
  return { names, others };
}

/** What the topic and the bus were sent, and how to send it. */
export function receivers() {
  const [topic, bus]: [Message[], string[]] = [[], []];
  return {
    topic,
    bus,
    ways: {
      sendToTopic: async (_: string, message: Message) => void topic.push(message),
      publish: async (each: readonly NewsEvent[]) => void bus.push(...each.map(({ type }) => type)),
    },
  };
}
