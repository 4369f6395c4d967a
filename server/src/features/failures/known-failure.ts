import type { FailureRemark } from '@signalbox/contract';
import { type SqlBool, sql } from 'kysely';

/** Whether a failure is known now, or in the runs of a commit. */
export const isKnown = (
  { known_until, known_commit }: Pick<FailureRemark, 'known_until' | 'known_commit'>,
  commit: string | null,
  now: Date,
): boolean =>
  (known_until !== null && known_until > now.toISOString()) || (known_commit !== '' && known_commit === commit);

/** The same condition in SQL, for a failure `f` and its last task `t`. */
export const isKnownRow = (now: Date) =>
  sql<SqlBool>`(coalesce(f.known_until, '') > ${now.toISOString()} or (f.known_commit <> '' and f.known_commit = coalesce(t.commit_hash, '')))`;
