import type { Row, Sheet } from 'write-excel-file/node';
import type { ChartSpec } from '../page/chart-spec.ts';
import { chartsOf } from '../page/trend-charts.ts';
import type { Translate } from '../page/words.ts';
import type { ReportData } from '../report-data.ts';
import { HEAD } from './workbook-columns.ts';

/** The charts of the page that the workbook has too. Both count by day. */
const CHARTS: readonly string[] = ['chart-players', 'chart-screens'];
/** The colours of the page on white, by their names there. */
const COLORS: Readonly<Record<string, string>> = {
  '--on': '2B8A68',
  '--off': '6A86AD',
  '--stale': 'CF7D18',
  '--never': '8A63A8',
  '--unknown': 'A3ADB9',
};
/** Rows of the sheet that a chart covers. */
const ROWS_A_CHART = 18;
const COLUMNS_A_CHART = 12;

/** The days of the page's charts as a sheet, and what writes the charts as Excel's own; undefined without a figure. */
export function trendsSheet(data: ReportData, t: Translate) {
  const specs = chartsOf(data).filter(({ id }) => CHARTS.includes(id));
  if (specs.length === 0) return undefined;
  const name = t('Trends');
  const heads = specs.flatMap(({ title, series }) => series.map((each) => `${t(title)}: ${t(each.name)}`));
  const rows = data.trend.dates.map(
    (date, day): Row => [
      { value: new Date(date), type: Date, format: 'yyyy-mm-dd' },
      ...specs.flatMap(({ series }) => series.map(({ values }) => numberOf(values[day] ?? null))),
    ],
  );
  // It stands above the charts.
  const note = {
    value: t('A source that no run called on a day counts as on its last day before.'),
    type: String,
    fontStyle: 'italic' as const,
  };
  const sheet: Sheet<Buffer> = {
    sheet: name,
    data: [[...[t('Day'), ...heads].map((value) => ({ value, type: String, ...HEAD })), null, note], ...rows],
    columns: [{ width: 12 }, ...heads.map(() => ({ width: 14 }))],
    stickyRowsCount: 1,
    stickyColumnsCount: 1,
    orientation: 'landscape',
  };
  return { sheet, charts: chartsFeature(specs, { name, days: rows.length, t }) };
}

const numberOf = (value: number | null): Row[number] =>
  value === null ? null : { value, type: Number, format: '#,##0' };

interface Place {
  readonly name: string;
  readonly days: number;
  readonly t: Translate;
}

/** The drawing on the sheet, and a file for each chart. The library has the places for both, but no charts. */
function chartsFeature(specs: readonly ChartSpec[], place: Place) {
  const first = 1 + specs.reduce((sum, { series }) => sum + series.length, 0);
  const of =
    (xml: (index: number) => string) =>
    ({ sheet }: { readonly sheet?: string }) =>
      sheet === place.name ? specs.map((_, index) => xml(index)).join('') : undefined;
  let column = 1;
  const files = specs.map((spec, index): readonly [string, string] => {
    const from = column;
    column += spec.series.length;
    return [`xl/charts/chart${index + 1}.xml`, chartXml(spec, { ...place, from })];
  });
  return {
    files: {
      transform: {
        '[Content_Types].xml': {
          insert: () =>
            files
              .map(
                ([path]) =>
                  `<Override ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml" PartName="/${path}"/>`,
              )
              .join(''),
        },
        'xl/drawings/drawing{id}.xml': { insert: of((index) => frameXml(index, first)) },
        'xl/drawings/_rels/drawing{id}.xml.rels': {
          insert: of(
            (index) =>
              `<Relationship Id="rId-chart-${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="../charts/chart${index + 1}.xml"/>`,
          ),
        },
      },
      write: { files: () => Object.fromEntries(files) },
    },
  };
}

/** Where a chart stands: right of the figures, one below the other. */
function frameXml(index: number, column: number): string {
  const corner = (tag: string, of: { readonly column: number; readonly row: number }) =>
    `<xdr:${tag}><xdr:col>${of.column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${of.row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${tag}>`;
  const row = 1 + index * (ROWS_A_CHART + 1);
  const chart = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
  const main = 'http://schemas.openxmlformats.org/drawingml/2006/main';
  return `<xdr:twoCellAnchor>${corner('from', { column: column + 1, row })}${corner('to', {
    column: column + 1 + COLUMNS_A_CHART,
    row: row + ROWS_A_CHART,
  })}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${index + 2}" name="Chart ${index + 1}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off xmlns:a="${main}" x="0" y="0"/><a:ext xmlns:a="${main}" cx="0" cy="0"/></xdr:xfrm><a:graphic xmlns:a="${main}"><a:graphicData uri="${chart}"><c:chart xmlns:c="${chart}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId-chart-${index + 1}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`;
}

/** Stacked columns by day over the cells of the sheet, from a column on. A day without a figure has no column. */
function chartXml(spec: ChartSpec, { name, days, t, from }: Place & { readonly from: number }): string {
  const cells = (column: number, rows: string) => {
    const letter = String.fromCharCode(65 + column);
    return `'${name}'!${rows.replaceAll('$', `$${letter}$`)}`;
  };
  const all = `$2:$${days + 1}`;
  const series = spec.series.map(
    ({ color }, index) =>
      `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>${cells(from + index, '$1')}</c:f></c:strRef></c:tx><c:spPr><a:solidFill><a:srgbClr val="${COLORS[color] ?? '333333'}"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/><c:cat><c:numRef><c:f>${cells(0, all)}</c:f></c:numRef></c:cat><c:val><c:numRef><c:f>${cells(from + index, all)}</c:f></c:numRef></c:val></c:ser>`,
  );
  const axis = (tag: string, of: { readonly id: number; readonly at: string; readonly own: string }) =>
    `<c:${tag}><c:axId val="${of.id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${of.at}"/>${of.own}<c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="${3 - of.id}"/><c:crosses val="autoZero"/></c:${tag}>`;
  const format = (code: string) => `<c:numFmt formatCode="${code}" sourceLinked="0"/>`;
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>${t(spec.title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="stacked"/><c:varyColors val="0"/>${series.join('')}<c:gapWidth val="40"/><c:overlap val="100"/><c:axId val="1"/><c:axId val="2"/></c:barChart>${axis('dateAx', { id: 1, at: 'b', own: format('yyyy-mm-dd') })}${axis('valAx', { id: 2, at: 'l', own: `<c:majorGridlines/>${format('#,##0')}` })}</c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`;
}
