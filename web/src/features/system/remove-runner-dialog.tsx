import type { Runner } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';

interface RemoveRunnerProps {
  runner: Pick<Runner, 'name' | 'tasks'>;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Whether a runner can be removed. A local one is only removed after it was disconnected. */
export const isRemovable = ({ local, connected, tasks }: Runner): boolean => !(local && (connected || tasks > 0));

/** Asks before a runner is removed. */
export const RemoveRunnerDialog = ({ runner, isBusy, onConfirm, onClose }: RemoveRunnerProps) => {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('runners.removeTitle')}
      which={runner.name}
      action={t('runners.removeAction')}
      isBusy={isBusy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('runners.removeText', { count: runner.tasks })}</p>
    </ConfirmDialog>
  );
};
