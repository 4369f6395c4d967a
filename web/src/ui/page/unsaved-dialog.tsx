import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';

export interface UnsavedDialogProps {
  onStay: () => void;
  onLeave: () => void;
}

/** Asks whether to leave a page whose form has unsaved changes. */
export const UnsavedDialog = ({ onStay, onLeave }: UnsavedDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={onStay}
      title={t('form.unsaved')}
      width={480}
      footer={
        <>
          <span className="grow" />
          <Button variant="quiet" onClick={onStay} data-autofocus>
            {t('form.goOn')}
          </Button>
          <Button variant="stop" onClick={onLeave}>
            {t('form.throwAway')}
          </Button>
        </>
      }
    >
      <p>{t('form.discard')}</p>
    </Dialog>
  );
};
