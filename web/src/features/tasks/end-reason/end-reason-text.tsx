import type { Task } from '@signalbox/contract';
import { endReasonText } from '@signalbox/lang';
import { useEndReasonSentences } from '../../../lang/end-reasons.ts';

export interface EndReasonTextProps {
  reason: NonNullable<Task['end_reason']>;
  className?: string | undefined;
}

/** Why a task ended, in the language of the console. The full text is also the tooltip. */
export const EndReasonText = ({ reason, className }: EndReasonTextProps) => {
  const sentence = useEndReasonSentences();
  const text = endReasonText(sentence, reason) ?? reason.text;
  return (
    <span className={className} title={text} data-end-reason={reason.code}>
      {text}
    </span>
  );
};
