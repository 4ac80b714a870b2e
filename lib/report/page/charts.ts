import { BarChart, type BarSeriesOption, LineChart, type LineSeriesOption } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { ChartSeries, ChartSpec } from './chart-spec.ts';
import { figureTable, h } from './dom.ts';
import { type Formats, LEAST_DAYS } from './formats.ts';

use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

/** The width of one of two adjacent charts, between the margins of A4 and of Letter, in CSS pixels. */
const PAPER_WIDTH = 300;

const BAND_OPACITY = 0.4;

export interface Chart {
  readonly element: HTMLElement;
  /** Draws it again in the theme's colours and the size of its place; `print`: in those of paper. */
  draw(): void;
}

/** A chart with its title, and its figures as a table for people who cannot or will not read charts. */
export function chart(spec: ChartSpec, formats: Formats): Chart {
  const { t } = formats;
  const figure = (notes: readonly string[], ...parts: readonly HTMLElement[]) => {
    const caption = [t(spec.note), ...notes].map((text) => h('p.note', text));
    return h('figure.card', { id: spec.id }, h('figcaption', h('h3', t(spec.title)), ...caption), ...parts);
  };
  if (isTooShort(spec)) {
    const few = t('A line of fewer than {days} days is not a trend: these are the figures.', {
      days: LEAST_DAYS,
    });
    return { element: figure([few], figures(spec, formats)), draw: () => undefined };
  }
  const same = coinciding(spec).map(([a, b]) =>
    t('{a} and {b} lie on one line: they are the same on every day.', { a: t(a), b: t(b) }),
  );
  const place = h('div', { class: `chart ${spec.form}`, role: 'img', 'aria-label': inWords(spec, formats) });
  if (spec.form === 'rows') place.style.height = `${70 + 34 * spec.labels.length}px`;
  const element = figure(same, place, h('details', h('summary', t('Figures')), figures(spec, formats)));
  let drawn: ReturnType<typeof init> | undefined;
  const draw = () => {
    drawn ??= init(place, null, { renderer: 'svg' });
    // For print, the chart is drawn before paper sets its place.
    const isPrinting = document.documentElement.classList.contains('printing');
    const width = isPrinting && spec.form !== 'rows' ? PAPER_WIDTH : place.clientWidth;
    drawn.resize({ width });
    drawn.setOption(optionOf(spec, formats, width), true);
  };
  new ResizeObserver(() => draw()).observe(place);
  return { element, draw };
}

/** The figures of a chart as a table, the newest day first. */
function figures(
  { title, labels, labelsAre, series, kind }: ChartSpec,
  { t, day, cell }: Formats,
): HTMLElement {
  const areDays = labelsAre === 'days';
  const rows = labels.map((name, index) => ({
    name: areDays ? day(name) : name,
    cells: series.map((each) => [cell(each.values[index] ?? null, each.kind ?? kind)]),
  }));
  return figureTable({
    label: t('Figures of {title}', { title: t(title) }),
    heads: [t(areDays ? 'Day' : 'Source'), ...series.map(({ name }) => t(name))],
    rows: areDays ? rows.toReversed() : rows,
  });
}

/** Whether a line covers too few days to say something. Bars always say something. */
function isTooShort({ form, series }: ChartSpec): boolean {
  const known = (values: ChartSeries['values']) => values.filter((value) => value !== null).length;
  return form === 'lines' && Math.max(...series.map(({ values }) => known(values))) < LEAST_DAYS;
}

/** Lines that look the same: nearer than a hundredth of the chart's height on every day that both have. */
function coinciding({ form, series }: ChartSpec): readonly (readonly [string, string])[] {
  if (form !== 'lines') return [];
  const most = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return series.flatMap((a, index) =>
    series.slice(index + 1).flatMap((b) => {
      const apart = a.values.flatMap((value, day) => {
        const other = b.values[day] ?? null;
        return value === null || other === null ? [] : [Math.abs(value - other)];
      });
      return apart.length > 0 && Math.max(...apart) <= most / 100 ? [[a.name, b.name] as const] : [];
    }),
  );
}

/** The series with a value on some day: the legend and the figures below name the others. */
function telling({ form, series }: ChartSpec): readonly ChartSeries[] {
  const some = series.filter(({ values }) => values.some((value) => (value ?? 0) > 0));
  return form === 'lines' || some.length === 0 ? series : some;
}

function optionOf(spec: ChartSpec, formats: Formats, width: number) {
  const css = getComputedStyle(document.documentElement);
  const shown = telling(spec);
  const color = (name: string) => css.getPropertyValue(name).trim();
  const text = { color: color('--muted'), fontFamily: css.fontFamily, fontSize: 12 };
  const label = (name: string) => (spec.labelsAre === 'days' ? formats.shortDay(name) : clipped(name));
  const names = {
    type: 'category' as const,
    data: [...spec.labels],
    axisLabel: { ...text, formatter: label, hideOverlap: true },
    axisLine: { lineStyle: { color: color('--line') } },
    axisTick: { show: false },
    inverse: spec.form === 'rows',
  };
  const isShare = spec.kind === 'share';
  const amounts = {
    type: 'value' as const,
    min: 0,
    splitNumber: width < 420 ? 3 : 4,
    ...(isShare && { max: 1, interval: 0.25 }),
    minInterval: spec.kind === 'number' ? 1 : 0,
    axisLabel: { ...text, formatter: (value: number) => formats.cell(value, spec.kind) },
    splitLine: { lineStyle: { color: color('--line') } },
  };
  return {
    animation: false,
    textStyle: { fontFamily: css.fontFamily },
    grid: { left: 4, right: 14, top: 36, bottom: 4, outerBoundsMode: 'same' as const },
    legend: {
      top: 0,
      left: 0,
      itemWidth: 14,
      itemHeight: 10,
      icon: 'roundRect',
      textStyle: text,
      inactiveColor: color('--line'),
      data: shown.map((each) => formats.t(each.name)),
    },
    tooltip: {
      trigger: 'axis' as const,
      axisPointer: { type: (spec.form === 'lines' ? 'line' : 'shadow') as 'line' | 'shadow' },
      confine: true,
      transitionDuration: 0,
      backgroundColor: color('--surface'),
      borderColor: color('--line'),
      textStyle: { color: color('--text'), fontSize: 13 },
      formatter: (points: unknown) => tip(spec, formats, indexOf(points)),
    },
    xAxis: spec.form === 'rows' ? amounts : names,
    yAxis: spec.form === 'rows' ? names : amounts,
    series: shown.flatMap((each): readonly (LineSeriesOption | BarSeriesOption)[] => {
      const own = { name: formats.t(each.name), itemStyle: { color: color(each.color) } };
      if (each.bandOf !== undefined)
        return band(each.bandOf, each.values, { ...own, most: isShare ? 1 : Number.POSITIVE_INFINITY });
      const data = [...each.values];
      if (spec.form !== 'lines')
        return [{ ...own, data, type: 'bar', stack: 'all', barMaxWidth: spec.form === 'rows' ? 20 : 44 }];
      const line = { width: 2, color: color(each.color), type: each.dashed ? 'dashed' : 'solid' } as const;
      const dots = { symbol: 'circle', symbolSize: 5, showSymbol: spec.labels.length < 32 };
      return [{ ...own, ...dots, data, type: 'line', connectNulls: false, lineStyle: line }];
    }),
  };
}

/** The space between the least and the most of a figure: one area on top of one that nobody sees. */
function band(
  values: ChartSeries['values'],
  errors: ChartSeries['values'],
  {
    most,
    ...own
  }: { readonly name: string; readonly itemStyle: { readonly color: string }; readonly most: number },
): readonly LineSeriesOption[] {
  const edges = values.map((value, day) => {
    const error = errors[day] ?? null;
    if (value === null || error === null) return null;
    return { least: Math.max(0, value - error), most: Math.min(most, value + error) };
  });
  const line = { type: 'line' as const, stack: 'band', symbol: 'none', silent: true };
  const unseen = { ...line, lineStyle: { opacity: 0 } };
  return [
    { ...unseen, data: edges.map((edge) => edge?.least ?? null) },
    {
      ...{ ...unseen, ...own, data: edges.map((edge) => edge && edge.most - edge.least) },
      areaStyle: { color: own.itemStyle.color, opacity: BAND_OPACITY },
    },
  ];
}

function indexOf(points: unknown): number {
  const [first] = Array.isArray(points) ? points : [points];
  return Number(Reflect.get(Object(first), 'dataIndex') ?? 0);
}

/** Made of elements, so that no name becomes markup. */
function tip(spec: ChartSpec, formats: Formats, index: number): HTMLElement {
  const name = spec.labels[index] ?? '';
  return h(
    'div.tip',
    h('strong', spec.labelsAre === 'days' ? formats.day(name) : clipped(name)),
    ...spec.series.map((each) =>
      h(
        'div',
        h('span.key', { style: `background:var(${each.color})` }),
        `${formats.t(each.name)} `,
        h('b', formats.cell(each.values[index] ?? null, each.kind ?? spec.kind)),
      ),
    ),
  );
}

function clipped(name: string): string {
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}

/** What a screen reader says about it: the newest figures, or each row's. */
function inWords({ title, labels, labelsAre, series, kind }: ChartSpec, formats: Formats): string {
  const { t } = formats;
  const last = labels.length - 1;
  const tell = (index: number) =>
    series
      .map((each) => `${t(each.name)} ${formats.cell(each.values[index] ?? null, each.kind ?? kind)}`)
      .join(', ');
  if (labelsAre === 'days') {
    const values = { days: labels.length, day: formats.day(labels[last] ?? ''), figures: tell(last) };
    return `${t(title)}. ${t('{days} days, the newest {day}: {figures}.', values)}`;
  }
  return `${t(title)}. ${labels.map((name, index) => `${clipped(name)}: ${tell(index)}`).join('; ')}.`;
}
