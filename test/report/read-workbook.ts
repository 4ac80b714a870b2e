import { readZip } from './zip.ts';

export type SheetCell = NonNullable<ReadSheet['rows'][number][number]>;
export type ReadSheet = ReturnType<typeof readWorkbook>[number];

/** The sheets of an .xlsx file, as Excel reads them, without its shortcuts. */
export function readWorkbook(file: Buffer) {
  const entries = readZip(file);
  const xmlOf = (path: string) => entries.get(`xl/${path}.xml`) ?? '';
  const texts = all(xmlOf('sharedStrings'), /<si><t[^>]*>([^<]*)<\/t><\/si>/g).map(([text = '']) =>
    plain(text),
  );
  const styles = xmlOf('styles');
  const formats = new Map(
    all(styles, /<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g).map(([id = '', code = '']) => [
      id,
      plain(code),
    ]),
  );
  const isBold = all(styles, /<font>(.*?)<\/font>/g).map(([font = '']) => font.includes('<b/>'));
  const kinds = all(styles, /(<xf .*?<\/xf>)/g).map(([kind = '']) => ({
    isWrapped: kind.includes('wrapText="1"'),
    isBold: isBold[Number(attribute(kind, 'fontId'))] === true,
    format: formats.get(attribute(kind, 'numFmtId')),
  }));
  /** A number or a text, as text, with Excel's format of a number. */
  const cellOf = (attributes: string, value: string) => {
    const isText = attribute(attributes, 't') === 's';
    const kind = kinds[Number(attribute(attributes, 's') || '0')];
    if (kind === undefined) throw new Error(`no style for ${attributes}`);
    return { value: isText ? (texts[Number(value)] ?? '') : value, isText, ...kind };
  };
  return all(xmlOf('workbook'), /<sheet [^>]*?name="([^"]+)"/g).map(([name = ''], index) => {
    const xml = xmlOf(`worksheets/sheet${index + 1}`);
    const pane = /<pane [^>]*>/.exec(xml)?.[0] ?? '';
    return {
      name: plain(name),
      xml,
      // Of each column, in characters.
      widths: all(xml, /<col [^>]*width="([\d.]+)"/g).map(([width]) => Number(width)),
      // What stays in sight.
      frozen: { rows: Number(attribute(pane, 'ySplit')), columns: Number(attribute(pane, 'xSplit')) },
      rows: all(xml, /<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs).map(([row = '']) => {
        const cells: (ReturnType<typeof cellOf> | undefined)[] = [];
        for (const [attributes = '', value] of all(row, /<c ([^>]*?)(?:\/>|>(?:<v>([^<]*)<\/v>)?.*?<\/c>)/gs))
          cells[placeOf(attributes)] = value === undefined ? undefined : cellOf(attributes, value);
        return Array.from(cells);
      }),
    };
  });
}

/** What a person sees of a cell, in English. */
export function shownText({ value, isText, format = '' }: SheetCell): string {
  const number = Number(value);
  if (isText) return value;
  if (format.startsWith('yyyy')) return format;
  if (format.includes('%')) return `${(number * 100).toFixed(1)}%`;
  if (format.startsWith('[>=')) return `${number >= 1e9 ? (number / 1e9).toFixed(1) : number.toFixed(0)} GB`;
  const digits = /\.([0#]+)/.exec(format)?.[1]?.length ?? 0;
  return number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The groups of each match. */
function all(text: string, pattern: RegExp): readonly (readonly (string | undefined)[])[] {
  return [...text.matchAll(pattern)].map(([, ...groups]) => groups);
}

const attribute = (text: string, name: string) =>
  new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? '';

/** The place of a cell in its row, from 0. */
function placeOf(attributes: string): number {
  const letters = /^[A-Z]+/.exec(attribute(attributes, 'r'))?.[0] ?? '';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const plain = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
