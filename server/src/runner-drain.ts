interface Row {
  readonly process: string | null;
  readonly connection: string | null;
  readonly drain_process: string | null;
}

/** Whether the admitted process of a runner was asked to end after its tasks. A runner of an older version names no process. */
export const isDrainRequested = ({ process, connection, drain_process }: Row): boolean =>
  drain_process !== null && drain_process === (process ?? connection);

/**
 * Whether a linked runner gets no more tasks: it has reported that it drains, or the request to drain was stored and has
 * not reached it.
 */
export const isDraining = (link: { readonly draining: boolean }, row: Row): boolean =>
  link.draining || isDrainRequested(row);
