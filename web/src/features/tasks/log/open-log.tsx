import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';

export interface OpenLogProps {
  task: Pick<Task, 'log_removed'>;
  line: number;
  onLine: (line: number) => void;
}

/** Opens the log at a line. Shows nothing once the log was removed, which a notice above the tabs explains. */
export const OpenLog = ({ task, line, onLine }: OpenLogProps) => {
  const { t } = useTranslation();
  if (task.log_removed || line === 0) return null;
  return (
    <Button small onClick={() => onLine(line)}>
      {t('summary.openLog', { line: numberText(line) })}
    </Button>
  );
};
