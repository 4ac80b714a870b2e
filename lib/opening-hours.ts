/** When the places of a group are open, on some days of the week. */
export interface OpeningHours {
  /** A value of one of the config's groups; `*` = of every player that no other line is for. */
  readonly group: string;
  /** Digits from 1, Monday, to 7. */
  readonly weekdays: string;
  /** Minutes after midnight, by the clocks of the zone. */
  readonly opens: number;
  /** Likewise; beyond 1440 it is open past midnight. */
  readonly closes: number;
  /** IANA zone. */
  readonly zone: string;
}
