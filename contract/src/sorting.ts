import { z } from 'zod';

/** The query of a list that can be sorted: by any column that people see of it. */
export const sortedBy = <const C extends readonly [string, ...string[]]>(...columns: C) =>
  z.object({
    sort: z.enum(columns).optional().describe('Column to sort by.'),
    order: z.enum(['asc', 'desc']).optional().describe('Direction; ascending unless told.'),
  });

export interface Sorting {
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}
