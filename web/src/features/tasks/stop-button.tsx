import type { Task } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/basics/button.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';

/** How long Force Stop ignores clicks after it replaced Stop, in milliseconds: longer than a double click. */
const DOUBLE_CLICK_MS = 1000;

/** Whether Force Stop accepts clicks, which it does not immediately after it replaced Stop. */
const useArmed = (force: boolean): boolean => {
  const [isArmed, setArmed] = useState(force);
  useEffect(() => {
    if (!force) {
      setArmed(false);
      return;
    }
    const timer = setTimeout(() => setArmed(true), DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, [force]);
  return isArmed;
};

interface StopButtonProps {
  task: Pick<Task, 'id' | 'project_id' | 'status'>;
  small?: boolean;
}

/** Stop button, which becomes Force Stop while the task is stopping. */
export const StopButton = ({ task, small }: StopButtonProps) => {
  const { t } = useTranslation();
  const force = task.status === 'stopping';
  const isArmed = useArmed(force);
  const stop = useMutation({
    mutationFn: () => call('stopTask', { params: { project_id: task.project_id, task_id: task.id }, body: { force } }),
    onError: (error) => showToast('error', errorText(error)),
  });
  const isDead = force ? !isArmed : stop.isSuccess;
  return (
    <Button
      variant="stop"
      small={small}
      icon="square"
      busy={stop.isPending}
      aria-disabled={isDead || undefined}
      // The second click of a double click may arrive before the first one is rendered.
      onClick={isDead ? undefined : ({ detail }) => detail <= 1 && stop.mutate()}
    >
      {t(force ? 'task.forceStop' : 'task.stop')}
    </Button>
  );
};
