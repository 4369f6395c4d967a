import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';

/** Button to leave a project. An owner has to give up that role first. */
export const LeaveButton = ({ project, isOwner }: { project: number; isOwner: boolean }) => {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => call('leaveProject', { params: { project_id: project } }),
    // The user may no longer see the loaded data of the project: the page is loaded again from its base URL.
    onSuccess: () => location.assign(new URL('.', document.baseURI)),
    onError: (error) => {
      setAsking(false);
      showToast('error', errorText(error));
    },
  });
  return (
    <>
      <Button
        variant="quiet"
        icon="signOut"
        disabled={isOwner}
        title={isOwner ? t('team.ownerStays') : undefined}
        onClick={() => setAsking(true)}
      >
        {t('team.leave')}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={t('team.leave')}
          which=""
          action={t('team.leave')}
          isBusy={leave.isPending}
          onConfirm={() => leave.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('team.leaveText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
