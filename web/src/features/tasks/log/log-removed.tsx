import type { LogRemoval, Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { dayText, numberText } from '../../../lang/locale.ts';
import { Alert } from '../../../ui/basics/alert.tsx';

const TEXTS: Readonly<Record<LogRemoval['set_by'], string>> = {
  template: 'log.removedTemplate',
  project: 'log.removedProject',
  system: 'log.removedSystem',
};

/** Shows when the log of a task was removed, and by which setting. Shows nothing while the log exists. */
export const LogRemoved = ({ task }: { task: Pick<Task, 'log_removed' | 'log_removal'> | undefined }) => {
  const { t } = useTranslation();
  if (!task?.log_removed) return null;
  const removal = task.log_removal;
  return (
    <Alert colour="wait">
      {removal
        ? t(TEXTS[removal.set_by], {
            day: dayText(new Date(removal.at)),
            count: removal.days,
            number: numberText(removal.days),
          })
        : t('log.removed')}
    </Alert>
  );
};
