/** One line of the table: what was measured, against what, and whether the aim is met. */
export interface Row {
  readonly what: string;
  readonly result: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly aim: string;
  /** Undefined if there is no aim. */
  readonly isMet: boolean | undefined;
}

export interface Measured {
  readonly rows: readonly Row[];
  /** A short text for the page: how it was measured and what the numbers mean. */
  readonly how: string;
}

/** Something that is measured against a baseline in the same run. */
export interface Measure {
  readonly name: string;
  readonly title: string;
  run(): Promise<Measured>;
}
