import type { Sentence } from '../views/sentence.ts';

/** The languages of the page. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** All data of the page. The page itself decides what depends on locale, zone and theme. */
export interface ReportData {
  /** The requested language; null = the reader's browser's. */
  readonly language: Language | null;
  readonly name: string;
  /** IANA name of the zone for days and times. */
  readonly timeZone: string;
  readonly runId: string;
  readonly status: string;
  /** ISO time of the last answered listing, which is the time of the figures. Null if no listing ever had an answer. */
  readonly observedAt: string | null;
  /** ISO time from which the page says that it is old: by the schedule a later run could have committed. Null = never. */
  readonly oldFrom: string | null;
  readonly generatedAt: string;
  /** Sources with an incomplete newest run. */
  readonly incomplete: readonly string[];
  /** The config's sources that the newest run did not list, and the time of their last answer; null: none yet. */
  readonly lagging: readonly { readonly source: string; readonly observedAt: string | null }[];
  /** Sources with a listing for a tile that the newest run did not get. */
  readonly without: Readonly<Record<TileName, readonly string[]>>;
  /** The tiles for the kinds of APIs in the newest runs. */
  readonly asked: readonly TileName[];
  /** Sentences on what is not known for a tile. */
  readonly notKnown: Readonly<Record<TileName, readonly Sentence[]>>;
  readonly news: News;
  /** The news since the day before, one by one; null if all tables are empty, so that nothing can be news. */
  readonly newsList: ReportTable | null;
  /** By source: the address of a player in its platform, with `{id}` for the player's id. */
  readonly playerUrls: Readonly<Record<string, string>>;
  readonly freshness: ReportTable;
  readonly findings: readonly Finding[];
  /** What the config's `mute` keeps out of the findings on this day; idle: nothing has that id. */
  readonly muted: readonly (Readonly<Record<'id' | 'reason' | 'end', string>> & {
    readonly isIdle: boolean;
  })[];
  /** How many expected players and screens were out only while their place was closed. */
  readonly closed?: Readonly<Record<'players' | 'screens', number>> | undefined;
  readonly trend: Trend;
  /** null before the second day with a run. */
  readonly compared: Compared | null;
  readonly groups: readonly ReportGroup[];
  /** For screens of expected players in places with opening hours; null if the config has none. */
  readonly hours: HoursFigures | null;
  /** How many expected players are known to have stuck transfers. */
  readonly stuck: number;
  /** The slots of the newest day, the bytes of those whose use is known, and how many have an unknown one. */
  readonly slots: { readonly count: number; readonly used: number; readonly unknown: number };
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
  /** The first and the last day that a source is compared with, YYYY-MM-DD; without a span that no source has run for. */
  readonly since: Readonly<Partial<Record<Span, { readonly first: string; readonly last: string }>>>;
  /** The earliest day with which players are compared. Whole: the players of all sources are, with this same day. */
  readonly players: { readonly since: string; readonly isWhole: boolean } | null;
  /** How many players of the finding `offline-players` are new in it, muted and closed ones too; null where nobody can know. */
  readonly newlyOffline?: number | null;
  /** Counts by kind of `news`, null where nobody can know; whether they are of a part; how many have no known state. */
  readonly kinds: readonly {
    readonly kind: string;
    readonly counts: Readonly<Record<Span, number | null>>;
    readonly isLeast: Readonly<Record<Span, boolean>>;
    readonly unknown: Readonly<Record<Span, number>>;
  }[];
  /** By kind: the news since the day before of what is muted. */
  readonly muted?: Readonly<Record<string, number>>;
}

export type Cell = string | number | boolean | null;

/** How a cell is shown: `hours` is a duration, `time` an instant, `age` the time since one. An error is rounded up. */
export type CellKind =
  | 'text'
  | 'number'
  | 'share'
  | 'bytes'
  | 'hours'
  | `${'share' | 'hours'}Error`
  | 'days'
  | 'time'
  | 'age'
  | 'state'
  | 'word' // In the reader's language.
  | 'money';

export interface ReportColumn {
  readonly label: string;
  readonly kind: CellKind;
  /**
   * `minor` is left out on a narrow screen. `telling` is shown below the first cell there, because it
   * distinguishes rows. `key` is only in the download and in links. @default always shown
   */
  readonly place?: Prominence;
  /** What links are made of. */
  readonly is?: 'player' | 'source';
  /** The column of players that it shows, where that is a group. */
  readonly group?: string;
}

/** How prominent a column is. */
export type Prominence = 'minor' | 'telling' | 'key';

export interface ReportTable {
  readonly id: string;
  readonly title: string;
  /** What a reader must know to read it correctly. */
  readonly note: string;
  /** The query that has all rows. */
  readonly query: string;
  /** Sentences on what the rows leave open, or on missing rows; empty if all is known. */
  readonly notKnown: readonly Sentence[];
  readonly columns: readonly ReportColumn[];
  /** The rows, the most important first. */
  readonly rows: readonly (readonly Cell[])[];
  /** The number of all rows. */
  readonly total: number;
}

export interface Finding {
  /** The question's id, such as `stale-screens`; the same for ever. */
  readonly id: string;
  readonly urgency: 'now' | 'soon';
  /** How many are known, and whether there may be more. */
  readonly count: number;
  readonly isLeast: boolean;
  /** The rest of the sentence after the number: "players were not seen for 8 hours". */
  readonly what: string;
  readonly why: string;
  /** How many came since the day before, null if no news has them; and whether there may be more. */
  readonly newCount: number | null;
  readonly isNewLeast: boolean;
  /** The table that lists them. */
  readonly table: string;
  /** The worst of them; says: a word of the view about it. */
  readonly worst: readonly { readonly name: string; readonly says?: string; readonly value: Cell }[];
  readonly kind: CellKind;
}

/** Figures by day, all sources together; null where unknown. */
export interface Trend {
  /** YYYY-MM-DD, without gaps. */
  readonly dates: readonly string[];
  readonly series: Readonly<Record<TrendKey, readonly (number | null)[]>>;
  /** By day: a number for the sources that say the figure. Days with the same number have the same sources. */
  readonly sources: Readonly<Record<ComparedKey, readonly number[]>>;
}

/** The figures that are compared with those of an earlier day. */
export const COMPARED_KEYS = [
  'expected_players_online',
  'expected_screens_on',
  'players_stuck',
  'licenses_used',
  'backup_used',
] as const satisfies readonly TrendKey[];
export type ComparedKey = (typeof COMPARED_KEYS)[number];

/** The trend's figures of players, and so of groups of them. */
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
  'players_stuck_unknown',
] as const;

export const TREND_KEYS = [
  ...GROUP_KEYS,
  'licenses_total',
  'licenses_used',
  'backup_slots_size',
  'backup_used',
  'backup_used_least',
  'backup_used_most',
  'uptime',
  'uptime_error',
] as const;

export type TrendKey = (typeof TREND_KEYS)[number];
export type GroupKey = (typeof GROUP_KEYS)[number];

/** By day, as the trend's dates. */
export type GroupFigures = Readonly<Record<GroupKey, readonly (number | null)[]>>;

/** A column of players that cuts figures and lists. */
export interface ReportGroup {
  /** The column's name. */
  readonly by: string;
  /** As the config names it. */
  readonly label: string;
  /** Its values, the largest first; null = the players without one. */
  readonly values: readonly (string | null)[];
  /** The number of all values. */
  readonly total: number;
  /** For each value, as the next; in the page they are packed next to its data. */
  readonly figures: readonly GroupFigures[];
  readonly compared: readonly (Compared | null)[];
  /** For each value how many of its players are known to have stuck transfers. */
  readonly stuck: readonly number[];
}

/** The newest day with a run and the one before it, of the same players and screens. */
export interface Compared {
  /** YYYY-MM-DD, the day before. */
  readonly since: string;
  readonly players?: OnBothDays;
  readonly screens?: OnBothDays;
}

/** Players or screens that are expected and known on both days; how many are online or on, now and on the day before. */
export type OnBothDays = Readonly<Record<'count' | 'now' | 'before', number>>;

/** Screens of expected players in places with opening hours; the bounds of how many were off while open, in the last day. */
type HoursFigures = Readonly<Record<'screens' | 'least' | 'most' | 'unknown', number>>;

/** The newest figures of a source that has screens. */
export interface SourceFigures extends Readonly<Record<'on' | 'off' | 'stale' | 'unknown', number>> {
  readonly source: string;
}
