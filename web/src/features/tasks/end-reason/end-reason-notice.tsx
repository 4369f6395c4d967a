import type { Task } from '@signalbox/contract';
import { endReasonDetail, endReasonMessage } from '@signalbox/lang';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndReasonTexts } from '../../../lang/end-reasons.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { copyText } from '../../../ui/toast/copy-text.ts';
import { LogExcerpt } from '../log/log-excerpt.tsx';
import type { LogSource } from '../log/log-source.ts';
import { OpenLog } from '../log/open-log.tsx';
import css from '../summary.module.css';
import { EndReasonRemedy } from './end-reason-remedy.tsx';
import { reasonLine } from './reason-line.ts';
import { endingOf, TODO } from './remedies.ts';

/** Number of lines from the end of the log that are shown. */
const LAST_LINES = 8;

export interface EndReasonNoticeProps {
  task: Task;
  /** Whether a host returned a result before the task failed. */
  hasResults: boolean;
  log: LogSource;
  onLine: (line: number) => void;
}

/** Shows why a task failed without a failed host result, what to do, and a button that leads there. */
export const EndReasonNotice = ({ task, hasResults, log, onLine }: EndReasonNoticeProps) => {
  const { t } = useTranslation();
  const { total } = useSyncExternalStore(log.subscribe, () => log.state);
  const reasonText = useEndReasonTexts();
  const { end_reason: why } = task;
  const { remedy, isBeforeHosts } = endingOf(task);
  const reason = reasonLine(why, total, (line) => log.line(line));
  const makeText = why ? (reasonText(endReasonMessage(why)) ?? why.text) : t('failure.unknown');
  const given = why ? endReasonDetail(why) : '';
  const detail = typeof given === 'string' ? given : reasonText(given);
  return (
    <section className={css.failure}>
      <h2 className={css.headline}>{makeText}</h2>
      <p className={css.todo}>
        {t(TODO[remedy])} {isBeforeHosts && !hasResults ? t('failure.noHost') : null}
      </p>
      {!detail ? null : <p className={css.message}>{detail}</p>}
      {total > 0 && !task.log_removed ? (
        <LogExcerpt
          log={log}
          from={Math.min(reason, total - LAST_LINES + 1)}
          to={total}
          marked={[reason, reason]}
          onLine={onLine}
        />
      ) : null}
      <div className={css.failureActions}>
        <EndReasonRemedy task={task} />
        {total > 0 ? <OpenLog task={task} line={reason} onLine={onLine} /> : null}
        <Button
          small
          variant="quiet"
          icon="copy"
          onClick={() => void copyText([makeText, detail].filter(Boolean).join('\n'))}
        >
          {t('summary.copy')}
        </Button>
      </div>
    </section>
  );
};
