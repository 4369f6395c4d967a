/** Lines of a log in a URL: one line such as 120, or the first and the last one such as 120-140. */
export type LineAddress = number | `${number}-${number}`;

/** Lines of a log, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

const ADDRESS = /^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/;

/** Reads a part of a URL. Returns undefined for what is no line or range. */
export const readLineAddress = (value: unknown): LineAddress | undefined => {
  const [, first, last = first] = ADDRESS.exec(String(value)) ?? [];
  return first === undefined ? undefined : lineAddress(Number(first), Number(last));
};

/** The address of the lines between two lines, in any order. */
export const lineAddress = (from: number, to: number): LineAddress =>
  from === to ? from : `${Math.min(from, to)}-${Math.max(from, to)}`;

export const lineRange = (address: LineAddress): LineRange => {
  const [first = 1, last = first] = String(address).split('-').map(Number);
  return { first, last };
};
