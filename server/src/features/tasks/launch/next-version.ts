/** A version in three parts: the text before its last run of digits, that number, the text after it. */
interface Shape {
  readonly before: string;
  readonly digits: string;
  readonly after: string;
}

const shapeOf = (version: string): Shape | undefined => {
  const parts = /^(.*?)(\d+)(\D*)$/s.exec(version);
  return parts ? { before: parts[1] ?? '', digits: parts[2] ?? '', after: parts[3] ?? '' } : undefined;
};

/** Adds one to a number of any length. Keeps leading zeros. */
const increment = (digits: string): string => (BigInt(digits) + 1n).toString().padStart(digits.length, '0');

/**
 * Returns the version of the next build: the latest with its last run of digits increased by one. The start version
 * is used instead if there is no latest, if its text around the number was changed, or if its number is higher.
 */
export const nextVersion = (startVersion: string, latest: string | null): string => {
  const last = latest === null ? undefined : shapeOf(latest);
  const start = shapeOf(startVersion);
  if (!last || !start) return startVersion;
  if (last.before !== start.before || last.after !== start.after) return startVersion;
  if (BigInt(start.digits) > BigInt(last.digits)) return startVersion;
  return `${last.before}${increment(last.digits)}${last.after}`;
};
