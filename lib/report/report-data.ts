import type { Sentence } from '../views/sentence.ts';

/** The languages of the page. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** All that the page shows, as data. The page itself decides what depends on locale, zone and theme. */
export interface ReportData {
  /** The language that was asked for; null = that of the reader's browser. */
  readonly language: Language | null;
  readonly name: string;
  /** IANA name of the zone in which days and times are told. */
  readonly timeZone: string;
  readonly runId: string;
  readonly status: string;
  /** ISO time of the last answered listing: the figures are as of then. Null where no listing was ever answered. */
  readonly observedAt: string | null;
  /** Hours between the last runs. A page that is much older than this says so. */
  readonly hoursBetweenRuns: number;
  readonly generatedAt: string;
  /** Sources whose newest run is not complete. */
  readonly incomplete: readonly string[];
  /** Sources that the newest run left out, and when they answered last. */
  readonly lagging: readonly { readonly source: string; readonly observedAt: string }[];
  /** Sources whose listings behind a tile were not all answered by the newest run. */
  readonly without: Readonly<Record<TileName, readonly string[]>>;
  /** The tiles of kinds of APIs that a source of the newest runs is. */
  readonly asked: readonly TileName[];
  /** Sentences on what is not known behind a tile. */
  readonly notKnown: Readonly<Record<TileName, readonly Sentence[]>>;
  readonly news: News;
  /** The news since the day before, one by one; null where nothing can be news, for all tables are empty. */
  readonly newsList: ReportTable | null;
  /** By source the address of a player in its platform, with `{id}` for the player's id. */
  readonly playerUrls: Readonly<Record<string, string>>;
  readonly freshness: ReportTable;
  readonly findings: readonly Finding[];
  readonly trend: Trend;
  readonly groups: readonly ReportGroup[];
  /** Of screens of expected players whose place has opening hours; null where the config has none. */
  readonly hours: { readonly screens: number; readonly off: number; readonly unknown: number } | null;
  readonly sources: readonly SourceFigures[];
  readonly comparison: ReportTable;
  readonly tables: readonly ReportTable[];
  readonly views: readonly { readonly name: string; readonly question: string }[];
  readonly leftOut: readonly { readonly name: string; readonly missing: readonly Sentence[] }[];
}

/** The figures of the first screen. */
export const TILES = ['players', 'screens', 'hours', 'transfers', 'licenses', 'backup'] as const;
export type TileName = (typeof TILES)[number];

/** The days that news go back. */
export const SPANS = ['1', '7', '30'] as const;
type Span = (typeof SPANS)[number];

export interface News {
  /** The day, YYYY-MM-DD, that is compared; without a span that no source has run for. */
  readonly since: Readonly<Partial<Record<Span, string>>>;
  /** Counts by kind of the view `news`; null where a span has no day to compare, or what it needs is not known. */
  readonly kinds: readonly {
    readonly kind: string;
    readonly counts: Readonly<Record<Span, number | null>>;
  }[];
}

export type Cell = string | number | boolean | null;

/** How a cell is told: `hours` is a duration, `time` an instant, `age` an instant as the time since. */
export type CellKind =
  | 'text'
  | 'number'
  | 'share'
  | 'bytes'
  | 'hours'
  | 'days'
  | 'time'
  | 'age'
  | 'state'
  /** A word of ours, told in the reader's language. */
  | 'word'
  | 'money';

export interface ReportColumn {
  readonly label: string;
  readonly kind: CellKind;
  /**
   * Beside the others it is `minor`, left out where the screen is narrow; `telling`, told below the first cell there,
   * because it tells rows apart; or `key`, in the download and in links alone. @default shown always
   */
  readonly place?: Prominence;
  /** What links are made of. */
  readonly is?: 'player' | 'source';
  /** The column of players that it shows, where that is a group. */
  readonly group?: string;
}

/** How much a column stands out. */
export type Prominence = 'minor' | 'telling' | 'key';

export interface ReportTable {
  readonly id: string;
  readonly title: string;
  /** What a reader must know to read it right. */
  readonly note: string;
  /** The view that has all rows. */
  readonly view: string;
  /** Sentences on what the rows do not say, or on rows that are missing; none where all is known. */
  readonly notKnown: readonly Sentence[];
  readonly columns: readonly ReportColumn[];
  /** The rows in the order that matters. */
  readonly rows: readonly (readonly Cell[])[];
  /** True where these are the first rows, and all are packed beside the page's data. */
  readonly isPacked?: boolean;
  /** Rows that there are. */
  readonly total: number;
}

export interface Finding {
  /** Of the question that was asked, such as `stale-screens`; the same for ever. */
  readonly id: string;
  readonly urgency: 'now' | 'soon';
  readonly count: number;
  /** The rest of the sentence behind the number: "players were not seen for 8 hours". */
  readonly what: string;
  readonly why: string;
  /** How many came since the day before; null where nobody knows, or no news tells them. */
  readonly newCount: number | null;
  /** The table that lists them. */
  readonly table: string;
  /** The worst of them. */
  readonly worst: readonly { readonly name: string; readonly value: Cell }[];
  readonly kind: CellKind;
}

/** Figures by day, all sources together; null where nobody knows. */
export interface Trend {
  /** YYYY-MM-DD, without gaps. */
  readonly dates: readonly string[];
  readonly series: Readonly<Record<TrendKey, readonly (number | null)[]>>;
}

export const TREND_KEYS = [
  'expected_players',
  'expected_players_online',
  'expected_players_offline',
  'expected_players_never_seen',
  'expected_players_unknown',
  'expected_screens',
  'expected_screens_on',
  'expected_screens_off',
  'expected_screens_stale',
  'expected_screens_unknown',
  'pending_transfers',
  'players_waiting',
  'players_stuck',
  'licenses_total',
  'licenses_used',
  'backup_reserved',
  'backup_used',
  'uptime',
  'uptime_error',
] as const;

export type TrendKey = (typeof TREND_KEYS)[number];

/** The figures of the trend that belong to players, and so to groups of them. */
export const GROUP_KEYS = [
  'expected_players',
  'expected_players_online',
  'expected_players_offline',
  'expected_players_never_seen',
  'expected_players_unknown',
  'expected_screens',
  'expected_screens_on',
  'expected_screens_off',
  'expected_screens_stale',
  'expected_screens_unknown',
  'pending_transfers',
  'players_waiting',
  'players_stuck',
] as const satisfies readonly TrendKey[];
export type GroupKey = (typeof GROUP_KEYS)[number];

/** By day, as the trend's dates. */
export type GroupFigures = Readonly<Record<GroupKey, readonly (number | null)[]>>;

/** A column of players that cuts figures and lists. */
export interface ReportGroup {
  /** The column's name. */
  readonly by: string;
  /** As the config names it. */
  readonly label: string;
  /** Its values, the largest first; null = of the players that have none. */
  readonly values: readonly (string | null)[];
  /** Values that there are. */
  readonly total: number;
  /** Of each value; in the page they are packed beside its data. */
  readonly figures: readonly GroupFigures[];
}

/** The newest figures of a source that has screens. */
export interface SourceFigures {
  readonly source: string;
  readonly on: number;
  readonly off: number;
  readonly stale: number;
  readonly unknown: number;
}
