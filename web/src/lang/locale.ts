let tag = 'en';
let collator: Intl.Collator | undefined;
let numbers: Intl.NumberFormat | undefined;
let moments: Intl.DateTimeFormat | undefined;

/** The current tag for dates, numbers and sorting, for example `de-AT`. */
export const locale = (): string => tag;

/** Called only when the language changes. */
export const setLocale = (to: string): void => {
  tag = to;
  collator = undefined;
  numbers = undefined;
  moments = undefined;
};

/** Compares names by the rules of the chosen language, and numbers in them by value. */
export const compareNames = (a: string, b: string): number => {
  collator ??= new Intl.Collator(tag, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
};

/** A number with the digit grouping of the chosen language. */
export const numberText = (value: number): string => {
  numbers ??= new Intl.NumberFormat(tag);
  return numbers.format(value);
};

/**
 * Formats date and time in the user's time zone. Formatters are cached, because creating one is a hundred times slower
 * than using it.
 */
export const momentText = (at: Date): string => {
  moments ??= new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'long' });
  return moments.format(at);
};

/** Formats a date in the time zone of the browser. */
export const dayText = (at: Date): string => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(at);

/** Joins alternatives to a list such as “a, b or c” in the chosen language. */
export const alternativesText = (names: readonly string[]): string =>
  new Intl.ListFormat(tag, { type: 'disjunction' }).format(names);

/** Joins names to a list such as “a, b and c” in the chosen language. */
export const listText = (names: readonly string[]): string =>
  new Intl.ListFormat(tag, { type: 'conjunction' }).format(names);

/** A size in bytes, or in kilobytes from 1,000 bytes on. */
export const sizeText = (bytes: number): string => {
  const [value, unit] = bytes < 1_000 ? [bytes, 'byte'] : [bytes / 1_000, 'kilobyte'];
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 1 }).format(
    value,
  );
};
