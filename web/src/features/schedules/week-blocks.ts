import type { ScheduleBlock, ScheduleWeek } from '@signalbox/contract';

/** Height of one hour, in pixels, and the smallest height of a block. */
export const HOUR_PX = 22;
const MIN_PX = 18;

const HOUR_MS = 3_600_000;

/** A block with its position within a day. */
export interface PlacedBlock {
  readonly block: ScheduleBlock;
  readonly top: number;
  readonly height: number;
  /** Its lane and the number of lanes: blocks that would cover each other are next to each other. */
  readonly lane: number;
  readonly lanes: number;
}

/** The first midnight of the week of a moment, in the time zone of the browser. Weeks begin on Monday. */
export const weekStart = (at: Date): Date =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate() - ((at.getDay() + 6) % 7));

/** The midnights of a week, and the one after it. Days with a clock change are shorter or longer. */
export const weekDays = (start: Date): Date[] =>
  Array.from({ length: 8 }, (_, day) => new Date(start.getFullYear(), start.getMonth(), start.getDate() + day));

/** A day as text such as 2026-11-23. */
export const dayKey = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

const measure = (block: ScheduleBlock) => {
  const at = new Date(block.time);
  const top = (at.getHours() + at.getMinutes() / 60) * HOUR_PX;
  const height = Math.max(MIN_PX, (((block.seconds ?? 0) * 1000) / HOUR_MS) * HOUR_PX);
  // A long task ends at midnight here: the day is as high as its hours.
  return { block, top, height: Math.max(MIN_PX, Math.min(height, 24 * HOUR_PX - top)) };
};

/** A time of a freeze window within a day. */
export interface PlacedFreeze {
  readonly window: number;
  readonly top: number;
  readonly height: number;
  /** Whether the window begins on this day. */
  readonly isFirst: boolean;
}

const hoursOf = (at: Date): number => at.getHours() + at.getMinutes() / 60;

/** The parts of freeze windows that are in a day, which ends at the next midnight. */
export const freezesOfDay = (freezes: ScheduleWeek['freezes'], day: Date, end: Date): PlacedFreeze[] =>
  freezes.flatMap(({ window_id, from, to }) => {
    const [begin, until] = [new Date(from), new Date(to)];
    if (begin >= end || until <= day) return [];
    const top = begin <= day ? 0 : hoursOf(begin) * HOUR_PX;
    const bottom = until >= end ? 24 * HOUR_PX : hoursOf(until) * HOUR_PX;
    return [{ window: window_id, top, height: Math.max(2, bottom - top), isFirst: begin >= day }];
  });

/** Arranges the blocks of one day. */
export const arrangeBlocks = (blocks: readonly ScheduleBlock[]): PlacedBlock[] => {
  const placed = blocks.map(measure).toSorted((a, b) => a.top - b.top);
  const result: PlacedBlock[] = [];
  let group: (ReturnType<typeof measure> & { lane: number })[] = [];
  let groupEnd = 0;
  const close = () => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane)) + 1;
    result.push(...group.map((one) => ({ ...one, lanes })));
    group = [];
  };
  for (const one of placed) {
    if (one.top >= groupEnd) close();
    const taken = new Set(group.filter(({ top, height }) => top + height > one.top).map(({ lane }) => lane));
    let lane = 0;
    while (taken.has(lane)) lane++;
    group.push({ ...one, lane });
    groupEnd = Math.max(groupEnd, one.top + one.height);
  }
  close();
  return result;
};

/** Arranges the blocks of each day, by the day in the time zone of the browser. */
export const arrangeWeek = (blocks: readonly ScheduleBlock[]): ReadonlyMap<string, readonly PlacedBlock[]> => {
  const ofDays = Map.groupBy(blocks, ({ time }) => dayKey(new Date(time)));
  return new Map([...ofDays].map(([day, ofDay]) => [day, arrangeBlocks(ofDay)]));
};
