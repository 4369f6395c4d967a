/** Whether the window stays at the end of the log and, if not, how many lines there were when the user scrolled up. */
export interface Follow {
  readonly following: boolean;
  /** Number of lines when the user scrolled up. */
  readonly seen: number;
}

export const FOLLOWING: Follow = { following: true, seen: 0 };

/** State after the user scrolled: leaving the end stops following, returning to the end starts it again. */
export const afterScroll = (follow: Follow, atEnd: boolean, total: number): Follow => {
  if (atEnd) return follow.following ? follow : FOLLOWING;
  return follow.following ? { following: false, seen: total } : follow;
};

/** Number of lines that were added since the user scrolled up. */
export const newLines = (follow: Follow, total: number): number =>
  follow.following ? 0 : Math.max(0, total - follow.seen);
