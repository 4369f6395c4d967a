const pad = (value: number) => String(value).padStart(2, '0');

/** The day of a moment as the value of an input for a date. */
export const localDay = (date: Date): string =>
  `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** A moment as the value of an input for date and time. */
export const localMoment = (at: string | null): string => {
  if (at === null) return '';
  const date = new Date(at);
  return `${localDay(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
};

const sentMoment = (local: string): string | null => {
  const at = Date.parse(local);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

/** A stored time that was not edited is sent as it was: the input does not show its seconds. */
export const keptMoment = (local: string, stored: string | null | undefined): string | null =>
  stored && localMoment(stored) === local ? stored : sentMoment(local);
