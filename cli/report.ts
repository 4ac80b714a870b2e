import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { collectReport } from '#lib/report/collect-report.ts';
import { openReport } from '#lib/report/days/open-report.ts';
import { renderPage } from '#lib/report/render-page.ts';
import { LANGUAGES } from '#lib/report/report-data.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { idleTargets } from '#lib/views/idle-targets.ts';
import { openTables, quarterBefore, type Tables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { existingLake } from './local-services.ts';
import { notWritten } from './named-files.ts';
import { commandOf, ofStack, option, text } from './options.ts';
import { say } from './say.ts';

const PAGE = 'report.html';

/** `report`: one page for an operations manager, and the views as sheets of a workbook. */
export function addReport(command: Command): void {
  commandOf(command, OPTIONS, async (options) => {
    const out = options.out ?? (options.xlsx === undefined ? PAGE : undefined);
    const lake = await existingLake(options.lake);
    const since = await firstDay(lake, options);
    const written = [out, options.xlsx].filter((file) => file !== undefined);
    const leftOut = new Map<string, Tables['leftOut'][number]>();
    const notes = new Set<string>();
    const opened = async <Opened extends Tables>(tables: Opened) => {
      for (const each of tables.leftOut) leftOut.set(each.name, each);
      for (const sentence of await idleTargets(tables)) notes.add(told(sentence));
      return { tables, record: await readRunRecord(lake, tables.head.runId) };
    };
    if (out !== undefined) {
      // No other command needs the libraries that bundle the page and write the workbook.
      const { bundlePage } = await import('#lib/report/page-assets.ts');
      // A reader of a bucket may have no right to write there.
      using large = await openReport(lake, { since, stores: !isRemote(lake) });
      const { tables, record } = await opened(large);
      await tables.complete();
      const language = options.lang ?? null;
      const data = await collectReport(tables, record.config, new Date(), { language });
      await put(out, renderPage(data, await bundlePage()));
    }
    if (options.xlsx !== undefined) {
      const { writeWorkbook } = await import('#lib/report/workbook/write-workbook.ts');
      const language = options.lang ?? 'en';
      using all = await openTables(lake, { since });
      const { tables, record } = await opened(all);
      await put(options.xlsx, await writeWorkbook(tables, record, { now: new Date(), language }));
    }
    if (options.json) {
      say({ written, leftOut: [...leftOut.values()], notes: [...notes] });
      return;
    }
    for (const file of written) say(`Wrote ${file}`);
    for (const { name, missing } of leftOut.values()) {
      const columns = missing.map(({ column, reason }) => `${column} (${reason})`).join(', ');
      say(`Left out ${name}: it needs ${columns}`);
    }
    for (const line of notes) say(line);
  });
}

const OPTIONS = {
  deployed: ofStack(),
  out: text('--out <file>', `where the page goes; ${PAGE} unless only --xlsx is given`),
  xlsx: text('--xlsx <file>', 'where the workbook goes'),
  lang: option(
    '--lang <language>',
    'en or de; without it the page takes the language of the browser that shows it, the workbook English',
    z.enum(LANGUAGES, { error: 'en or de' }).optional(),
  ),
};

const isRemote = ({ name }: Lake) => name.startsWith('s3://');

/**
 * The first date to fetch. For a lake on S3 it begins the quarter of a year that the page shows; the workbook
 * needs all days. A lake on this machine has all, because nothing is fetched. Empty = all.
 */
async function firstDay(lake: Lake, { xlsx }: { readonly xlsx?: string | undefined }): Promise<string> {
  if (xlsx !== undefined || !isRemote(lake)) return '';
  const head = (await readHead(lake))?.head;
  return head === undefined ? '' : quarterBefore(head.exportDate);
}

async function put(file: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (cause) {
    throw notWritten(file, 'REPORT_NOT_WRITTEN', cause);
  }
}
