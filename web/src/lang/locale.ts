let tag = 'en';

/** The current tag for dates, numbers and sorting, for example `de-AT`. */
export const locale = (): string => tag;

/** Called only when the language changes. */
export const setLocale = (to: string): void => {
  tag = to;
};

/**
 * Returns a getter of a formatter for the chosen language. The formatter is kept until the language changes, because
 * creating one is a hundred times slower than using it.
 */
export const perLocale = <Format>(create: (tag: string) => Format): (() => Format) => {
  let made: { readonly tag: string; readonly format: Format } | undefined;
  return () => {
    if (made?.tag !== tag) made = { tag, format: create(tag) };
    return made.format;
  };
};

const collator = perLocale((to) => new Intl.Collator(to, { numeric: true, sensitivity: 'base' }));
const numbers = perLocale((to) => new Intl.NumberFormat(to));
const moments = perLocale((to) => new Intl.DateTimeFormat(to, { dateStyle: 'medium', timeStyle: 'medium' }));
const days = perLocale((to) => new Intl.DateTimeFormat(to, { dateStyle: 'medium' }));
const alternatives = perLocale((to) => new Intl.ListFormat(to, { type: 'disjunction' }));
const lists = perLocale((to) => new Intl.ListFormat(to, { type: 'conjunction' }));

const halves = perLocale((to) => new Intl.DateTimeFormat(to, { hour: 'numeric' }).resolvedOptions().hour12 ?? false);

/** How times of day are written in the chosen language: `1:04 PM`, or `01:04` where the day has 24 hours. */
export const clockFormat = (): { hour: 'numeric' | '2-digit'; minute: '2-digit' } => ({
  hour: halves() ? 'numeric' : '2-digit',
  minute: '2-digit',
});

/** Compares names by the rules of the chosen language, and numbers in them by value. */
export const compareNames = (a: string, b: string): number => collator().compare(a, b);

/** A number with the digit grouping of the chosen language. */
export const numberText = (value: number): string => numbers().format(value);

/** Formats date and time in the user's time zone. */
export const momentText = (at: Date): string => moments().format(at);

/** Formats a date in the time zone of the browser. */
export const dayText = (at: Date): string => days().format(at);

/** Joins alternatives to a list such as “a, b or c” in the chosen language. */
export const alternativesText = (names: readonly string[]): string => alternatives().format(names);

/** Joins names to a list such as “a, b and c” in the chosen language. */
export const listText = (names: readonly string[]): string => lists().format(names);

/** A size in bytes, or in kilobytes from 1,000 bytes on. */
export const sizeText = (bytes: number): string => {
  const [value, unit] = bytes < 1_000 ? [bytes, 'byte'] : [bytes / 1_000, 'kilobyte'];
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 1 }).format(
    value,
  );
};

const STORAGE_UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'];

/** A size of memory or of a disk, in the largest unit of which there is at least one. */
export const storageText = (bytes: number): string => {
  const step = Math.min(Math.max(Math.floor(Math.log10(Math.max(1, bytes)) / 3), 1), STORAGE_UNITS.length);
  const value = bytes / 1000 ** step;
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: STORAGE_UNITS[step - 1] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
};

/** A number with at most two decimals. */
export const decimalText = (value: number): string =>
  new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }).format(value);

/** A time in whole milliseconds. */
export const millisecondsText = (value: number): string =>
  new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: 'millisecond',
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  }).format(value);
