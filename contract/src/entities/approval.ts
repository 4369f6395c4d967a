import { z } from 'zod';
import { Id, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { VISIBLE } from '../visible-text.ts';

/** Who must approve a task before a runner gets it. `other`: someone other than the user who started it. */
export const ApprovalRule = z.enum(['none', 'anyone', 'other']);
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** Maximum length of the comment of an approval. The reason why a rejected task ended contains it. */
const MAX_APPROVAL_COMMENT = 500;

const Comment = text(MAX_APPROVAL_COMMENT)
  .trim()
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, fieldError('field.one_line'))
  .regex(VISIBLE, fieldError('field.invisible'));
const FreezeReason = text(1024).trim().regex(VISIBLE, fieldError('field.invisible')).nullish();

export const Approval = z.object({
  comment: Comment.default('').describe('Stored with the task.'),
  freeze_reason: FreezeReason.describe(
    'Why the task starts in a freeze window, which needs the right to edit templates. Not stored without a window.',
  ),
});

export const Rejection = z.object({
  comment: Comment.min(1, fieldError('field.required')).describe('Why the task must not start.'),
});

/** The approval of a task, as far as it needs one. */
export const TaskApproval = z.object({
  approval: ApprovalRule.describe(
    'Who must approve it before it starts: the rule of its template when it was started.',
  ),
  approval_state: z
    .enum(['none', 'pending', 'approved', 'rejected'])
    .describe('`none` for a task that needs no approval, and for one that was stopped before.'),
  approval_starter: Id.nullable().describe(
    'Id of the user who started it, or the build that started it: with `other` this user may not approve it. Null if no user did, and for a task that needs no approval.',
  ),
  approval_by: z.string().describe('Name of the user who approved or rejected it, else empty.'),
  approval_comment: z.string().describe('The comment of this user, else empty.'),
});
export type ApprovalState = z.infer<typeof TaskApproval>['approval_state'];
