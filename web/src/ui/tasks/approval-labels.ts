import type { ApprovalRule } from '@signalbox/contract';

/** Catalogue keys of who must approve the tasks of a template. */
export const APPROVAL_LABELS = {
  none: 'approval.none',
  anyone: 'approval.anyone',
  other: 'approval.other',
} as const satisfies Record<ApprovalRule, string>;
