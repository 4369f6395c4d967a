import type { Runner } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { Button } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { isRemovable, RemoveRunnerDialog } from './remove-runner-dialog.tsx';
import { RunnerDialog } from './runner-dialog.tsx';

/** Sends one call about a runner, and shows its result. */
const useRunnerCall = (send: () => Promise<unknown>, text: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKey.runners });
      showToast('ok', text);
    },
    onError: (error) => showToast('error', errorText(error)),
  });
};

/** The buttons of the page of a runner. */
export const RunnerActions = ({ runner, onRemoved }: { runner: Runner; onRemoved: () => Promise<void> }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, name, paused } = runner;
  const params = { runner_id: id };
  const [open, setOpen] = useState<'edit' | 'drain'>();
  const close = () => setOpen(undefined);
  const pausing = useRunnerCall(
    () => call('updateRunner', { params, body: { paused: !paused } }),
    t(paused ? 'runners.resumedToast' : 'runners.pausedToast', { name }),
  );
  const draining = useRunnerCall(() => call('drainRunner', { params }).finally(close), t('runners.drained', { name }));
  const replacing = useRunnerCall(() => call('rotateRunnerToken', { params }), t('runners.tokenReplaced', { name }));
  const removal = useDeletion<Runner>({
    remove: () => call('deleteRunner', { params }),
    onRemoved: async () => {
      showToast('ok', t('runners.removed', { name }));
      await onRemoved();
      await client.invalidateQueries({ queryKey: queryKey.runners });
    },
    onRefused: (text) => showToast('error', text),
  });
  return (
    <>
      <Button icon={paused ? 'play' : 'pause'} busy={pausing.isPending} onClick={() => pausing.mutate()}>
        {t(paused ? 'runners.resume' : 'runners.pause')}
      </Button>
      {runner.connected && !runner.draining && !runner.local ? (
        <Button onClick={() => setOpen('drain')}>{t('runners.drain')}</Button>
      ) : null}
      <Button icon="edit" onClick={() => setOpen('edit')}>
        {t('runners.editAction')}
      </Button>
      {runner.local || runner.ephemeral ? null : (
        <Button icon="key" busy={replacing.isPending} onClick={() => replacing.mutate()}>
          {t('runners.replaceToken')}
        </Button>
      )}
      {isRemovable(runner) ? (
        <Button icon="trash" onClick={() => removal.ask(runner)}>
          {t('runners.removeAction')}
        </Button>
      ) : null}
      {open === 'edit' ? <RunnerDialog runner={runner} onClose={close} /> : null}
      {open === 'drain' ? (
        <ConfirmDialog
          title={t('runners.drainTitle')}
          which={name}
          action={t('runners.drain')}
          isBusy={draining.isPending}
          onConfirm={() => draining.mutate()}
          onClose={close}
        >
          <p>{t('runners.drainText')}</p>
        </ConfirmDialog>
      ) : null}
      {removal.deletion ? (
        <RemoveRunnerDialog
          runner={runner}
          isBusy={removal.confirm.isPending}
          onConfirm={() => removal.confirm.mutate(runner)}
          onClose={removal.close}
        />
      ) : null}
    </>
  );
};
