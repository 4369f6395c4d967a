import { type FormEvent, type ReactNode, use, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';
import { useErrorFocus } from '../forms/use-error-focus.ts';
import { DeletedMeanwhile } from './deleted-meanwhile.ts';
import { Dialog } from './dialog.tsx';
import css from './form-dialog.module.css';
import { LeaveConfirmation, useLeaveGuard } from './leave-guard.tsx';

export interface FormDialogProps {
  title: string | undefined;
  /** The name of the object, shown in grey next to the title. */
  which?: string | undefined;
  width?: number;
  /** The error message of the server. */
  error: string | undefined;
  /** Whether closing would lose changes. */
  isDirty: boolean;
  isBusy: boolean;
  save: string;
  /** Text on the left of the footer. */
  remark?: ReactNode;
  /** False for users who may only read: there is no save button. */
  mayEdit?: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A form in a dialog. It stays open while the server refuses it, and asks for confirmation before changes are
 * discarded.
 */
export const FormDialog = (props: FormDialogProps) => {
  const {
    title,
    which,
    width,
    error,
    isDirty,
    isBusy,
    save,
    remark,
    mayEdit = true,
    onSubmit,
    onClose,
    children,
  } = props;
  const { t } = useTranslation();
  const isDeleted = use(DeletedMeanwhile);
  const guard = useLeaveGuard(isDirty && mayEdit, onClose);
  // The error is at the top; in a long form its field may be scrolled out of view.
  const { fields, focusError } = useErrorFocus<HTMLFieldSetElement>();
  useEffect(() => {
    if (error !== undefined) focusError();
  }, [error, focusError]);
  return (
    <Dialog
      opened
      onClose={guard.close}
      title={title}
      which={which}
      {...(width === undefined ? {} : { width })}
      onSubmit={(event) => {
        guard.stay();
        onSubmit(event);
        focusError();
      }}
      footer={
        guard.isAsking ? (
          <LeaveConfirmation guard={guard} />
        ) : (
          <>
            <span className={css.remark}>{mayEdit ? remark : t('newTask.readOnly')}</span>
            <Button variant="quiet" onClick={guard.close} data-autofocus={mayEdit ? undefined : true}>
              {t(mayEdit ? 'action.cancel' : 'action.close')}
            </Button>
            {mayEdit ? (
              <Button type="submit" variant="primary" busy={isBusy}>
                {save}
              </Button>
            ) : null}
          </>
        )
      }
    >
      {isDeleted ? (
        <div className={css.error}>
          <Alert colour="error">{t('form.deleted')}</Alert>
        </div>
      ) : null}
      {error === undefined ? null : (
        <div className={css.error}>
          <Alert colour="error">{error}</Alert>
        </div>
      )}
      <fieldset ref={fields} className={css.fields} disabled={!mayEdit}>
        <legend className="sr">{title}</legend>
        {children}
      </fieldset>
    </Dialog>
  );
};

/** Two fields in a row; below each other on phones. */
export const FieldRow = ({ children }: { children: ReactNode }) => <div className={css.row}>{children}</div>;
