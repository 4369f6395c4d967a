import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { Dialog } from './dialog.tsx';
import css from './form-dialog.module.css';

export interface ConfirmDialogProps {
  title: string;
  which: string;
  /** What goes with it. */
  children: ReactNode;
  /** What the button does. */
  action: string;
  isBusy: boolean;
  /** Whether the confirm button is enabled. Default: true. */
  isReady?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once more. The way back has the focus, so that Enter harms nothing. */
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
          <Button look="quiet" onClick={onClose} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button look="stop" busy={isBusy} disabled={!isReady} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
};
