import type { SilentInTask } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../ui/basics/alert.tsx';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { useNow } from '../../../ui/time/clock.ts';
import { durationText, exactTime } from '../../../ui/time/time.ts';
import css from './host.module.css';

/** Shows that the host has not answered in a running task for far longer than usual. */
export const SilentNotice = ({ silent, host }: { silent: SilentInTask; host: string }) => {
  const { t } = useTranslation();
  const now = useNow();
  const time = durationText(now - Date.parse(silent.since));
  return (
    <div className={css.notice}>
      <Alert
        colour="stop"
        shape="clock"
        action={
          silent.line > 0 ? (
            <DialogLink search={{ t: silent.task_id, tab: 'log', line: silent.line, with: undefined }}>
              {t('summary.openLog', { line: silent.line })}
            </DialogLink>
          ) : null
        }
      >
        <TaskLink id={silent.task_id} />{' '}
        <span title={exactTime(silent.since)}>
          {t('silent.text', { names: host, step: silent.name, count: 1, time })}
        </span>{' '}
        {t('silent.usual', { usual: durationText(silent.usual_ms) })}
      </Alert>
    </div>
  );
};
