let tag = 'en';
let collator: Intl.Collator | undefined;
let numbers: Intl.NumberFormat | undefined;
let moments: Intl.DateTimeFormat | undefined;

/** The tag by which dates, numbers and sorting go at the moment, for example `de-AT`. */
export const locale = (): string => tag;

/** Only the choice of the language calls this. */
export const setLocale = (to: string): void => {
  tag = to;
  collator = undefined;
  numbers = undefined;
  moments = undefined;
};

/** Sorts names as people of the chosen language do, and numbers within them by their value. */
export const compareNames = (a: string, b: string): number => {
  collator ??= new Intl.Collator(tag, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
};

/** A number with the marks between thousands that the chosen language has. */
export const numberText = (value: number): string => {
  numbers ??= new Intl.NumberFormat(tag);
  return numbers.format(value);
};

/** A moment with its day and time, in the person's own zone. Making a formatter costs a hundred times what its use does. */
export const momentText = (at: Date): string => {
  moments ??= new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'long' });
  return moments.format(at);
};

/** Formats a date in the time zone of the browser. */
export const dayText = (at: Date): string => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(at);

/** Joins names to a list such as “a, b and c” in the chosen language. */
export const listText = (names: readonly string[]): string =>
  new Intl.ListFormat(tag, { type: 'conjunction' }).format(names);
