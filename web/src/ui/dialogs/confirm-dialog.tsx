import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { Dialog } from './dialog.tsx';
import css from './form-dialog.module.css';

export interface ConfirmDialogProps {
  title: string;
  which: string;
  /** Additional content below the text. */
  children: ReactNode;
  /** Label of the confirm button. */
  action: string;
  isBusy: boolean;
  /** Whether the confirm button is enabled. Default: true. */
  isReady?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirmation dialog. The cancel button has the focus, so that Enter does no harm. */
export const ConfirmDialog = ({
  title,
  which,
  children,
  action,
  isBusy,
  isReady = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      which={which}
      width={480}
      footer={
        <>
          <span className={css.remark} />
          <Button variant="quiet" onClick={onClose} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button variant="stop" busy={isBusy} disabled={!isReady} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
};
