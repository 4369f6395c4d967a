import type { Outage } from '../../tooling/product/equal-servers/disturbances.ts';

/** When the API answered with a status of one of the newest tasks first and last, in milliseconds since 1970. */
export interface Seen {
  readonly from: number;
  readonly to: number;
}

const timeOf = (moment: number): string => new Date(moment).toISOString();

const LIMIT_MS = 1000;
/** Time that a page has after the database or its server is back. */
const AFTER_OUTAGE_MS = 10_000;
/** A page that is later than this has missed a status, however busy the machine is. */
const MISSED_MS = 10_000;

/**
 * Compares when a page showed each status with when it was stored. A status that was soon replaced, or whose task was soon
 * followed by many others, need not be shown.
 * @returns what the page missed, and the delays outside of outages, in milliseconds
 */
export const judgePage = (
  server: number,
  stored: ReadonlyMap<string, Seen>,
  shown: ReadonlyMap<string, number>,
  outages: readonly Outage[],
) => {
  const wrong: string[] = [];
  const delays: number[] = [];
  const own = outages.filter((outage) => outage.server === undefined || outage.server === server);
  for (const [key, { from, to }] of stored) {
    const during = own.filter((outage) => outage.from <= to && outage.to + AFTER_OUTAGE_MS >= from);
    const until = Math.max(from, ...during.map((outage) => outage.to));
    if (to < until + (during.length > 0 ? AFTER_OUTAGE_MS : LIMIT_MS)) continue;
    const at = shown.get(key);
    if (at === undefined) wrong.push(`page ${server} never showed ${key}, stored at ${timeOf(from)}`);
    else if (at > until + MISSED_MS) wrong.push(`page ${server} showed ${key} after ${at - from} ms, at ${timeOf(at)}`);
    else if (during.length === 0) delays.push(Math.max(0, at - from));
  }
  return { wrong, delays };
};
