import type { Task } from '@signalbox/contract';
import { endReasonText } from '@signalbox/lang';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useEndReasonTexts } from '../../../lang/end-reasons.ts';
import { ExpectedEnd } from '../../../ui/tasks/expected-end.tsx';
import css from './history.module.css';

type EndReason = NonNullable<Task['end_reason']>;

/** A text short enough for a row: how many hosts failed where. Undefined for other reasons. */
const shortReason = (t: TFunction, { params }: EndReason): string | undefined => {
  if ('failed' in params && params.step !== '')
    return t('history.failedHosts', { bad: params.failed, count: params.hosts, step: params.step });
  // A changed host key has no message.
  if ('unreachable' in params && 'message' in params)
    return t('history.unreachableHosts', { bad: params.unreachable, count: params.hosts, host: params.host });
  return undefined;
};

/** Why a task ended, with the full text as the tooltip. */
const Reason = ({ reason }: { reason: EndReason }) => {
  const { t } = useTranslation();
  const text = endReasonText(useEndReasonTexts(), reason) ?? reason.text;
  return (
    <small className={`cut ${css.reason}`} title={text} data-end-reason={reason.code}>
      {shortReason(t, reason) ?? text}
    </small>
  );
};

interface RowDetailProps {
  task: Task;
  /** Position of a waiting task in the queue; null if it is unknown. */
  position: number | null;
}

/** What the status of a task leaves open: its position while it waits, its step while it runs, and why it ended. */
export const RowDetail = ({ task, position }: RowDetailProps) => {
  const { t } = useTranslation();
  if (task.end_reason) return <Reason reason={task.end_reason} />;
  if (task.status === 'waiting')
    return position === null ? null : <small className={css.reason}>{t('waiting.position', { position })}</small>;
  if (task.end !== null) return null;
  const step = task.running_step?.name;
  return (
    <small className={`${css.reason} ${css.running}`}>
      {step === undefined ? null : (
        <span className="cut" title={step}>
          {step}
        </span>
      )}
      <span>
        <ExpectedEnd task={task} before={step === undefined ? '' : '· '} />
      </span>
    </small>
  );
};
