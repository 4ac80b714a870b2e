/** A wrong line: what is in a file between two places, in UTF-16 code units, becomes another text. */
export interface Mutation {
  /** What is broken: `comparison`, `await`, `join key`, … */
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
