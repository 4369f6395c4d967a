import type { ReactNode } from 'react';

/** The server names the item of a list that it refuses. */
export const errorOfList = (errors: Readonly<Record<string, ReactNode>>, list: string): ReactNode =>
  errors[list] ?? Object.entries(errors).find(([field]) => field.startsWith(`${list}.`))?.[1];
