import {
  EndReason,
  type EndReasonCode,
  isFinal,
  Language,
  type StoredEndReason,
  type TaskStatus,
} from '@signalbox/contract';
import { endReasonText, textsIn } from '@signalbox/lang';
import { END_REASONS } from '@signalbox/lang/catalogues';

/**
 * Parses a stored end reason; `params` is JSON.
 * @returns undefined without a reason, and for a reason that only a newer version knows
 */
export const storedEndReason = (code: string | null, params: string | null): EndReason | undefined =>
  code === null ? undefined : EndReason.safeParse({ code, params: JSON.parse(params ?? '{}') }).data;

const TEXTS = new Map(
  Language.options.map((language) => [language, textsIn(language, [END_REASONS[language]])] as const),
);

/** Returns why a task ended, as one sentence. */
export const endReasonIn = (language: Language, reason: EndReason): string => {
  const make = TEXTS.get(language);
  return (make && endReasonText(make, reason)) ?? reason.code;
};

interface StoredEnd {
  readonly status: TaskStatus;
  readonly end_reason: EndReasonCode | null;
  readonly end_params: string | null;
}

/** Returns why a task ended, as the API shows it; null while the task is being stopped. */
export const describedEndReason = ({ status, end_reason, end_params }: StoredEnd): StoredEndReason | null => {
  const reason = isFinal(status) ? storedEndReason(end_reason, end_params) : undefined;
  return reason ? { ...reason, text: endReasonIn('en', reason) } : null;
};
