import type { ColumnType, Generated } from 'kysely';

/** Booleans are 0 and 1, times are RFC 3339 texts in UTC: both sort correctly and are the same in both databases. */
export type Flag = 0 | 1;

export type Id = Generated<number>;

/** Written once, when the row is inserted. */
export type Fixed<T> = ColumnType<T, T, never>;

/** Written at most once, when the row is inserted. */
export type FixedOrNull<T> = ColumnType<T | null, T | null | undefined, never>;
