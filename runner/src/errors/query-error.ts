import type { OwnReason, QueryReason } from '@signalbox/contract';
import { MAX_REASON_TEXT } from '@signalbox/contract/link';
import { inRepository, PreparationError, shortened, withTexts } from './preparation-error.ts';

/** Why a query has no answer, for reasons that do not end a run: an English message, and the same as a code. */
export class QueryError extends PreparationError {
  readonly reason: OwnReason;

  constructor(message: string, reason: OwnReason) {
    super('preparation', message, { code: 'preparation.failed', params: { detail: message } });
    this.reason = reason;
  }
}

/** End reasons whose text without a coded detail is less useful than the English message of the answer. */
const UNSPECIFIC: readonly string[] = ['preparation.failed', 'git.refused'] satisfies QueryReason['code'][];

/**
 * The reason of an error as a code; undefined when it has none.
 * @param repository its address without user info; empty if the query is about no repository
 * @param mask removes the secrets of the query
 */
export const queryReason = (
  error: unknown,
  repository: string,
  mask: (text: string) => string,
): QueryReason | undefined => {
  if (!(error instanceof PreparationError)) return { code: 'query.failed', params: {} };
  if (!(error instanceof QueryError)) {
    if (UNSPECIFIC.includes(error.endReason.code) && !('detail_code' in error.endReason.params)) return undefined;
    return withTexts(inRepository(error.endReason, repository), mask);
  }
  if (error.reason.code !== 'query.inventory_unreadable') return error.reason;
  const detail = shortened(mask(error.reason.params.detail), MAX_REASON_TEXT - 2);
  return { code: error.reason.code, params: { detail } };
};
