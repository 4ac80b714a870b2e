/** A wrong line where the code holds a promise, which once no test noticed. */
export interface NamedMutant {
  readonly name: string;
  /** What goes wrong with it, in plain words. */
  readonly fault: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly from: string;
  readonly to: string;
  /** The test files of the promise: at least one of them must turn red. */
  readonly noticedBy: readonly string[];
}
