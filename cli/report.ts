import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { readHead } from '#lib/lake/head.ts';
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

const OPTIONS = {
  deployed: ofStack(),
  out: text('<file>', `where the page goes; ${PAGE} unless only --xlsx is given`),
  xlsx: text('<file>', 'where the workbook goes'),
  lang: option(
    '<language>',
    'en or de; without it the page takes the language of the browser that shows it, the workbook English',
    z.enum(LANGUAGES, { error: 'en or de' }).optional(),
  ),
};

export const addReport = commandOf(OPTIONS, async ({ xlsx, lang, json, ...options }) => {
  const out = options.out ?? (xlsx === undefined ? PAGE : undefined);
  const lake = await existingLake(options.lake);
  const isRemote = lake.name.startsWith('s3://');
  // The page shows a quarter of a year, and the workbook all days. Nothing is fetched of a lake on this machine.
  const head = xlsx === undefined && isRemote ? (await readHead(lake))?.head : undefined;
  const since = head === undefined ? '' : quarterBefore(head.exportDate);
  const leftOut = new Map<string, Tables['leftOut'][number]>();
  const notes = new Set<string>();
  const opened = async (tables: Tables) => {
    for (const each of tables.leftOut) leftOut.set(each.name, each);
    for (const sentence of await idleTargets(tables)) notes.add(told(sentence));
    return await readRunRecord(lake, tables.head.runId);
  };
  if (out !== undefined) {
    // No other command needs the libraries that bundle the page and write the workbook.
    const { bundlePage } = await import('#lib/report/page-assets.ts');
    // A reader of a bucket may have no right to write there.
    using tables = await openReport(lake, { since, stores: !isRemote });
    const { config } = await opened(tables);
    await tables.complete();
    const data = await collectReport(tables, config, new Date(), { language: lang ?? null });
    await put(out, renderPage(data, await bundlePage()));
  }
  if (xlsx !== undefined) {
    const { writeWorkbook } = await import('#lib/report/workbook/write-workbook.ts');
    using tables = await openTables(lake, { since });
    const record = await opened(tables);
    await put(xlsx, await writeWorkbook(tables, record, { now: new Date(), language: lang ?? 'en' }));
  }
  const written = [out, xlsx].filter((file) => file !== undefined);
  if (json) return say({ written, leftOut: [...leftOut.values()], notes: [...notes] });
  for (const file of written) say(`Wrote ${file}`);
  for (const { name, missing } of leftOut.values()) {
    const columns = missing.map(({ column, reason }) => `${column} (${reason})`).join(', ');
    say(`Left out ${name}: it needs ${columns}`);
  }
  for (const line of notes) say(line);
});

async function put(file: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (cause) {
    throw notWritten(file, 'REPORT_NOT_WRITTEN', cause);
  }
}
