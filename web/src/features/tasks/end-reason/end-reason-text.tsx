import type { Task } from '@signalbox/contract';
import { endReasonText } from '@signalbox/lang';
import { useEndReasonTexts } from '../../../lang/end-reasons.ts';

export interface EndReasonTextProps {
  reason: NonNullable<Task['end_reason']>;
  className?: string | undefined;
}

/** Why a task ended, in the language of the console. The full text is also the tooltip. */
export const EndReasonText = ({ reason, className }: EndReasonTextProps) => {
  const makeText = useEndReasonTexts();
  const text = endReasonText(makeText, reason) ?? reason.text;
  return (
    <span className={className} title={text} data-end-reason={reason.code}>
      {text}
    </span>
  );
};
