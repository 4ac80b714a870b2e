import * as z from 'zod';
import { readSummary } from '#lib/run/summary.ts';
import { counted } from '#lib/text.ts';
import { extentText, FIRST, operatorCommand, rawText } from './operate.ts';
import { option } from './options.ts';
import { printRun } from './print-run.ts';

const from = option(
  '<date>',
  'the first export_date to make again, YYYY-MM-DD',
  z.iso.date({ error: 'a day of the calendar, written YYYY-MM-DD' }),
);

export const addRebuild = operatorCommand({ from, ...FIRST }, (options) => ({
  operation: { command: 'rebuild', from: options.from },
  asks: ({ runs, rewritten, raw }) =>
    `${counted(runs, 'run')} from ${options.from} on would be made again from ${rawText(raw)}, in place of ${extentText(rewritten)}.`,
  ended: async ({ lake, head, config }) =>
    printRun(await readSummary(lake, head), { ...options, configured: config }),
}));
