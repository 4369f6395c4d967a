import { DAY_MS } from '@signalbox/contract/limits';

/** Maximum number of remembered days of one zone: more than a century. */
const MAX_DAYS = 50_000;

/** The time zones that are in use, each with the offsets of the days that were asked for. */
const ZONES = new Map<string, ZoneOffsets>();

/** Maximum number of remembered zones: more than there are names of time zones. */
const MAX_ZONES = 600;

/** The offsets of one time zone from UTC in milliseconds, remembered by day, because reading one takes microseconds. */
class ZoneOffsets {
  readonly #format: Intl.DateTimeFormat;
  /** Offsets at midnight UTC by the number of the day since 1970. */
  readonly #atMidnight = new Map<number, number>();

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  }

  /** The offset at one moment. */
  at(ms: number): number {
    const parts = this.#format.formatToParts(ms);
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local - Math.floor(ms / 1000) * 1000;
  }

  /** The offset on a day; undefined if it changes on this day, the day before or the two days after it. */
  around(day: number): number | undefined {
    const before = this.#midnight(day - 1);
    return before === this.#midnight(day) && before === this.#midnight(day + 1) && before === this.#midnight(day + 2)
      ? before
      : undefined;
  }

  #midnight(day: number): number {
    const known = this.#atMidnight.get(day);
    if (known !== undefined) return known;
    if (this.#atMidnight.size >= MAX_DAYS) this.#atMidnight.clear();
    const offset = this.at(day * DAY_MS);
    this.#atMidnight.set(day, offset);
    return offset;
  }
}

/** @param zone IANA name of a time zone that exists */
export const zoneOffsets = (zone: string): ZoneOffsets => {
  const known = ZONES.get(zone);
  if (known) return known;
  if (ZONES.size >= MAX_ZONES) ZONES.clear();
  const offsets = new ZoneOffsets(zone);
  ZONES.set(zone, offsets);
  return offsets;
};
