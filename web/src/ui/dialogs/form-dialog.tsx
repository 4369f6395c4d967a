import { type FormEvent, type ReactNode, use, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';
import { FormGone } from './deleted-meanwhile.ts';
import { Dialog } from './dialog.tsx';
import css from './form-dialog.module.css';
import { LeaveQuestion, useLeaveGuard } from './leave-guard.tsx';

export interface FormDialogProps {
  title: string | undefined;
  /** Grey beside the title: which one. */
  which?: string | undefined;
  width?: number;
  /** What the server said against it. */
  error: string | undefined;
  /** Whether something was typed that closing would lose. */
  isDirty: boolean;
  isBusy: boolean;
  save: string;
  /** Left in the footer. */
  remark?: ReactNode;
  /** False for those who may only look: there is nothing to save with. */
  mayEdit?: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: stays open while the server refuses it, and asks before it throws away what was typed. */
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
  const isGone = use(FormGone);
  const guard = useLeaveGuard(isDirty && mayEdit, onClose);
  const fields = useRef<HTMLFieldSetElement>(null);
  // The error is at the top; in a long form the field that it is about may be scrolled out of view.
  useEffect(() => {
    if (error !== undefined) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
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
      }}
      footer={
        guard.isAsking ? (
          <LeaveQuestion guard={guard} />
        ) : (
          <>
            <span className={css.remark}>{mayEdit ? remark : t('newTask.readOnly')}</span>
            <Button look="quiet" onClick={guard.close} data-autofocus={mayEdit ? undefined : true}>
              {t(mayEdit ? 'action.cancel' : 'action.close')}
            </Button>
            {mayEdit ? (
              <Button type="submit" look="primary" busy={isBusy}>
                {save}
              </Button>
            ) : null}
          </>
        )
      }
    >
      {isGone ? (
        <div className={css.error}>
          <Alert lamp="error">{t('form.gone')}</Alert>
        </div>
      ) : null}
      {error === undefined ? null : (
        <div className={css.error}>
          <Alert lamp="error">{error}</Alert>
        </div>
      )}
      <fieldset ref={fields} className={css.fields} disabled={!mayEdit}>
        <legend className="sr">{title}</legend>
        {children}
      </fieldset>
    </Dialog>
  );
};

/** Two fields beside each other; below each other on phones. */
export const FieldRow = ({ children }: { children: ReactNode }) => <div className={css.row}>{children}</div>;
