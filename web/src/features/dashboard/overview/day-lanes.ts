/** What a due time takes of the width of the day: its bar with its label. Positions are parts of the whole, 0 to 1. */
export interface LaneItem {
  readonly from: number;
  readonly to: number;
}

/**
 * Distributes items over lanes, so that none overlaps another one in its lane.
 * @returns the lane of each item, and the number of lanes
 */
export const arrangeLanes = (items: readonly LaneItem[]): { lanes: number[]; count: number } => {
  const taken: LaneItem[][] = [];
  const lanes = items.map((item) => {
    const free = taken.findIndex((lane) => lane.every(({ from, to }) => to <= item.from || from >= item.to));
    const lane = free < 0 ? taken.length : free;
    taken[lane] = [...(taken[lane] ?? []), item];
    return lane;
  });
  return { lanes, count: taken.length };
};
