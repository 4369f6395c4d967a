/** Whether the window stays at the end, and how many lines came since it does not. */
export interface Follow {
  readonly following: boolean;
  /** Lines there were when the person left the end. */
  readonly seen: number;
}

export const FOLLOWING: Follow = { following: true, seen: 0 };

/** After a scroll by the person: leaving the end stops following, coming back to it starts again. */
export const afterScroll = (follow: Follow, atEnd: boolean, total: number): Follow => {
  if (atEnd) return follow.following ? follow : FOLLOWING;
  return follow.following ? { following: false, seen: total } : follow;
};

/** Lines that came since the person left the end. */
export const newLines = (follow: Follow, total: number): number =>
  follow.following ? 0 : Math.max(0, total - follow.seen);
