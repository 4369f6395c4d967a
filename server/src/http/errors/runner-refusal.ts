import type { ErrorMessage, Message, QueryReason } from '@signalbox/contract';
import type { QueryAnswer } from '@signalbox/contract/link';
import { endReasonInFull } from '@signalbox/lang';

/** Why a runner could not answer a query. */
export interface RunnerRefusal {
  readonly refused: ErrorMessage;
}

const messageOf = (reason: QueryReason): Message =>
  reason.code.startsWith('query.')
    ? (reason as Message)
    : endReasonInFull(reason as Parameters<typeof endReasonInFull>[0]);

/** The refusal of a runner; older runners send only an English text. */
export const runnerRefusal = ({ error, reason }: Extract<QueryAnswer, { ask: 'refused' }>): RunnerRefusal => {
  if (!reason) return { refused: { code: 'conflict.runner_text', params: { text: error } } };
  return { refused: { code: 'conflict.runner_answer', params: { reason: messageOf(reason) } } as ErrorMessage };
};
