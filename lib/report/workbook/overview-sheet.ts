import type { Row, Sheet } from 'write-excel-file/node';
import { flooredShare } from '../../text.ts';
import type { LakeView } from '../../views/lake-views.ts';
import type { Sentence } from '../../views/sentence.ts';
import { type Formats, localFormats } from '../page/formats.ts';
import { changeOf, ofWhole, type Tile, tileFigures } from '../page/tile-figures.ts';
import { laggingSource } from '../page/verdict.ts';
import { translator } from '../page/words.ts';
import type { Language, ReportData } from '../report-data.ts';
import { HEAD } from './workbook-columns.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
/** The least width of the columns, in characters. */
const WIDTHS = [30, 16, 34, 21, 16, 16, 60];

export interface OverviewOptions {
  readonly data: ReportData;
  readonly views: readonly LakeView[];
  /** Rows of each view. */
  readonly counts: ReadonlyMap<string, number>;
  readonly unknown: ReadonlyMap<string, readonly Sentence[]>;
  readonly language: Language;
}

/** The first sheet: its time, the main figures with the day before, what needs attention, and the other sheets. */
export function overviewSheet({ data, views, counts, unknown, language }: OverviewOptions): Sheet<Buffer> {
  const formats = localFormats(LOCALES[language], data.timeZone, translator(language));
  const { t, sentence } = formats;
  const head = (...texts: readonly string[]): Row =>
    texts.map((value) => ({ value: t(value), type: String, ...HEAD }));
  const asOf = data.observedAt === null ? t('No listing was ever answered') : formats.time(data.observedAt);
  const rows: readonly Row[] = [
    [{ value: data.name, type: String, fontWeight: 'bold', fontSize: 16 }],
    [text(`${t('As of')} ${asOf}, ${t('times in {timeZone}', { timeZone: data.timeZone })}`)],
    ...data.lagging.map((each): Row => [text(laggingSource(each, formats))]),
    [text(`${t('Newest run')}: ${data.runId}, ${t(data.status)}`)],
    [],
    head('Figure', 'Now', 'Of', 'Compared: day before', 'Compared: now', 'Change', 'Note'),
    ...tileFigures(data, formats).map((tile) => tileRow(tile, data, formats)),
    [],
    head('Needs attention', 'Count'),
    ...data.findings.map(
      ({ what, count, isLeast, why }): Row => [
        text(t(what)),
        number(count, formatOf('#,##0', isLeast)),
        text(t(why)),
      ],
    ),
    ...data.muted.map(({ id, reason, end, isIdle }): Row => {
      const until = t('until {date}: {reason}', { date: formats.day(end), reason });
      const idle = isIdle ? ` (${t('no player, screen or storage has this id')})` : '';
      return [text(t('Muted by the config: {id}', { id })), null, text(`${until}${idle}`)];
    }),
    [],
    head('Sheet', 'Rows', 'Question'),
    ...views.map(({ name, question }): Row => [text(name), number(counts.get(name) ?? 0), text(t(question))]),
    ...views.flatMap(({ name }) =>
      (unknown.get(name) ?? []).map((each): Row => [text(name), null, text(sentence(each))]),
    ),
    ...data.leftOut.map(
      ({ name, missing }): Row => [
        text(name),
        null,
        text(t('is left out here: it needs {what}.', { what: missing.map(sentence).join(', ') })),
      ],
    ),
  ];
  return {
    sheet: t('Overview'),
    columns: WIDTHS.map((width, index) => ({
      width: Math.max(width, ...rows.map((row) => toldWidth(row, index))),
    })),
    stickyRowsCount: 1,
    orientation: 'landscape',
    data: [...rows],
  };
}

/** The width that shows a whole text. A text without a neighbour runs over the next columns. */
function toldWidth(row: Row, index: number): number {
  const [cell, beside = null] = [row[index], row[index + 1]];
  if (beside === null || cell === null || typeof cell !== 'object' || !('value' in cell)) return 0;
  return String(cell.value).length + 1;
}

const text = (value: string) => ({ value, type: String });
const number = (value: number, format = '#,##0') => ({ value, type: Number, format });

/** The format of a figure, with a sign for one that may be higher. */
const formatOf = (format: string, isLeast: boolean) => (isLeast ? `"≥ "${format}` : format);

function tileRow(tile: Tile, data: ReportData, formats: Formats): Row {
  const { label, figure, note, name } = tile;
  const { t, sentence } = formats;
  const now = figure.values.at(-1) ?? figure.least ?? null;
  if (now === null)
    return [text(label), text(t('Not known')), text(data.notKnown[name].map(sentence).join(' '))];
  const format = figure.kind === 'share' ? '0.0%' : '#,##0';
  const shown = (value: number) => (figure.kind === 'share' ? flooredShare(value) : value);
  const found = changeOf(tile, data);
  const change = found?.day === figure.values.length - 2 ? found : undefined;
  const cells =
    change === undefined
      ? [null, null, null]
      : [
          number(shown(change.before), format),
          number(shown(change.now), format),
          number(change.now - change.before, `+${format};-${format};0`),
        ];
  const compared =
    change?.of === undefined
      ? ''
      : `; ${t('Compared')}: ${t('of {count} known on both days', { count: formats.number(change.of) })}`;
  return [
    text(label),
    number(shown(now), formatOf(format, figure.least !== undefined)),
    text(ofWhole(tile, formats)),
    ...cells,
    text((note === '' ? data.notKnown[name].map(sentence).join(' ') : note) + compared),
  ];
}
