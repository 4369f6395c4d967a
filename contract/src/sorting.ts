import { z } from 'zod';

/** The query of a list that can be sorted by any of its columns. */
export const sortedBy = <const C extends readonly [string, ...string[]]>(...columns: C) =>
  z.object({
    sort: z.enum(columns).optional().describe('Column to sort by.'),
    order: z.enum(['asc', 'desc']).optional().describe('Direction. Default: ascending.'),
  });

export interface Sorting {
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}
