import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { listText, numberText } from '../../lang/locale.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { useNow } from '../../ui/time/clock.ts';
import { durationText, exactTime } from '../../ui/time/time.ts';
import css from './task.module.css';

/** Hosts that are named. */
const NAMED = 5;

/** Notice about hosts that have not answered for far longer than usual, with the way to the lines of the step. */
export const SilentHosts = ({ task, onLine }: { task: Task; onLine: (line: number) => void }) => {
  const { t } = useTranslation();
  const now = useNow();
  const { silent_hosts: silent } = task;
  if (!silent || task.end !== null) return null;
  const named = silent.hosts.slice(0, NAMED);
  const more = silent.total - named.length;
  const names =
    more > 0 ? t('silent.more', { names: named.join(', '), count: more, number: numberText(more) }) : listText(named);
  return (
    <div className={css.notice}>
      <Alert
        colour="stop"
        action={
          silent.line > 0 ? (
            <Button small onClick={() => onLine(silent.line)}>
              {t('summary.openLog', { line: silent.line })}
            </Button>
          ) : null
        }
      >
        <span title={exactTime(silent.since)}>
          {t('silent.text', {
            ...{ names, step: silent.name, count: silent.total },
            time: durationText(now - Date.parse(silent.since)),
          })}
        </span>{' '}
        {t('silent.usual', { usual: durationText(silent.usual_ms) })}
      </Alert>
    </div>
  );
};
