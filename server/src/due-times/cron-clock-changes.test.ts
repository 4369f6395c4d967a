import { describe, expect, it } from 'vitest';
import { drawSample } from '../../../testing/sample.ts';
import { parseCron } from './cron.ts';

/** Computes due times minute by minute without the library: slow, but too simple to have the same bugs. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const offsetReader = (timezone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const known = new Map<number, number>();
  /** Milliseconds by which the wall clock is ahead of UTC. Offsets are multiples of 15 minutes. */
  return (moment: number): number => {
    const quarter = moment - (moment % (15 * MINUTE));
    const offset = known.get(quarter);
    if (offset !== undefined) return offset;
    const part = Object.fromEntries(format.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]));
    const wall = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute);
    known.set(quarter, wall - quarter);
    return wall - quarter;
  };
};

const expand = (field: string, min: number, max: number): Set<number> => {
  const values = new Set<number>();
  for (const item of field.split(',')) {
    const [range = '', step = '1'] = item.split('/');
    const [from, to = from] = range === '*' ? [min, max] : range.split('-').map(Number);
    for (let value = from ?? 0; value <= (to ?? 0); value += Number(step)) values.add(value);
  }
  return values;
};

const plainDueTimes = (cron: string, offset: (moment: number) => number, from: number, until: number): number[] => {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(' ');
  const [minutes, hours, days] = [expand(minute, 0, 59), expand(hour, 0, 23), expand(day, 1, 31)];
  const [months, weekdays] = [expand(month, 1, 12), expand(weekday, 0, 6)];
  const fits = (wall: number): boolean => {
    const date = new Date(wall);
    if (!minutes.has(date.getUTCMinutes()) || !hours.has(date.getUTCHours())) return false;
    if (!months.has(date.getUTCMonth() + 1)) return false;
    const [onDay, onWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    return days.size === 31 || weekdays.size === 7 ? onDay && onWeekday : onDay || onWeekday;
  };
  const due: number[] = [];
  let highest = Number.POSITIVE_INFINITY;
  for (let moment = from - DAY; moment < until; moment += MINUTE) {
    const wall = moment + offset(moment);
    let isDue = fits(wall);
    if (hours.size < 24) {
      isDue &&= wall > highest;
      for (let skipped = highest + MINUTE; skipped < wall; skipped += MINUTE) isDue ||= fits(skipped);
    }
    if (!(wall <= highest) || highest === Number.POSITIVE_INFINITY) highest = wall;
    if (isDue && moment > from) due.push(moment);
  }
  return due;
};

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  // Changes of half an hour and of two hours, a skipped midnight, offsets of a quarter hour, negative daylight saving
  // time, and no change at all.
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'America/Santiago',
  'Pacific/Chatham',
  'Europe/Dublin',
  'Asia/Kolkata',
];
const YEARS = [2024, 2026, 2031];
const CRONS_PER_CHANGE = 25;

/** Pseudo-random numbers from 0 to 1 for a seed (mulberry32), so that a failure can be repeated. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const cronMaker = (random: () => number) => {
  const between = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  const field = (min: number, max: number): string => {
    const kind = random();
    const low = between(min, max);
    if (kind < 0.2) return '*';
    if (kind < 0.4) return `*/${between(1, Math.min(12, max - min))}`;
    if (kind < 0.5) return `${low}-${between(low, max)}/${between(1, 4)}`;
    if (kind < 0.6) return `${low}-${between(low, max)}`;
    return kind < 0.75 ? `${low},${between(min, max)}` : String(low);
  };
  const seldom = (min: number, max: number): string => (random() < 0.8 ? '*' : field(min, max));
  // Clocks change in the first hours of a day.
  return () =>
    [
      field(0, 59),
      random() < 0.5 ? field(0, 23) : String(between(0, 3)),
      seldom(1, 31),
      seldom(1, 12),
      seldom(0, 6),
    ].join(' ');
};

const changesOf = (offset: (moment: number) => number, year: number): number[] => {
  const changes: number[] = [];
  for (let moment = Date.UTC(year, 0, 1); moment < Date.UTC(year + 1, 0, 1); moment += 15 * MINUTE) {
    if (offset(moment) !== offset(moment - 15 * MINUTE)) changes.push(moment);
  }
  return changes;
};

describe.each(drawSample('time zones: changes of the clock', ZONES, 3))(
  '[R7] random crons around every clock change in %s',
  (timezone) => {
    const offset = offsetReader(timezone);

    it.each(YEARS)('are due in %i exactly as specified', (year) => {
      const changes = changesOf(offset, year);
      expect(changes.length).toBe(timezone === 'Asia/Kolkata' ? 0 : 2);
      const makeCron = cronMaker(randomFrom(year * 1000 + ZONES.indexOf(timezone)));
      for (const change of changes.length > 0 ? changes : [Date.UTC(year, 5, 1)]) {
        const [from, until] = [change - DAY, change + 2 * DAY];
        for (let n = 0; n < CRONS_PER_CHANGE; n++) {
          const text = makeCron();
          const cron = parseCron(text, timezone);
          const due: number[] = [];
          for (let next = cron.after(new Date(from)); next && next.getTime() < until; next = cron.after(next)) {
            due.push(next.getTime());
          }
          expect(due, `${text} from ${new Date(from).toISOString()}`).toEqual(plainDueTimes(text, offset, from, until));
        }
      }
    });
  },
);
