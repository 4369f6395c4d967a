import { Modal } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../basics/button.tsx';
import css from './dialog.module.css';
import { useEscape } from './escape.ts';
import { useFocusReturn } from './focus-return.ts';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** The title. */
  title: ReactNode;
  /** The name of the object, shown in grey next to the title. */
  which?: ReactNode;
  width?: number;
  /** Buttons between the title and the close button. On phones they are below the title. */
  actions?: ReactNode;
  /** Content between the header and the form, which belongs to neither. */
  strip?: ReactNode;
  /** Content between header and footer, which scrolls if needed. */
  children: ReactNode;
  footer?: ReactNode;
  /** Makes the dialog a form that Enter submits. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** Set to false for content with its own padding. */
  padded?: boolean;
  /** Set if the content has nothing to focus: the body gets the focus, so that keys can scroll it. */
  isRead?: boolean;
}

/** Dialog with header, body and footer. Fills the screen on phones. `Esc` closes it and returns the focus. */
export const Dialog = ({
  opened,
  onClose,
  title,
  which,
  width = 560,
  actions,
  strip,
  children,
  footer,
  onSubmit,
  padded = true,
  isRead = false,
}: DialogProps) => {
  const { t } = useTranslation();
  const inside = (
    <>
      <div className={css.body} data-padded={padded || undefined} {...(isRead ? { tabIndex: 0 } : {})}>
        {children}
      </div>
      {footer ? <div className={css.footer}>{footer}</div> : null}
    </>
  );
  return (
    <DialogFrame opened={opened} onClose={onClose} width={width}>
      <div className={css.header}>
        <Modal.Title className={css.title}>
          <span className="two-lines" title={[title, which].filter((part) => typeof part === 'string').join(' ')}>
            {title} {which ? <span className={css.which}>{which}</span> : null}
          </span>
        </Modal.Title>
        {actions ? <div className={css.actions}>{actions}</div> : null}
        <IconButton icon="close" label={t('action.close')} onClick={onClose} />
      </div>
      {strip}
      {onSubmit ? (
        <form
          className={css.form}
          onSubmit={(event) => {
            // The event would also reach the form around the field that has opened this dialog.
            event.stopPropagation();
            onSubmit(event);
          }}
          noValidate
        >
          {inside}
        </form>
      ) : (
        inside
      )}
    </DialogFrame>
  );
};

export interface DialogFrameProps {
  opened: boolean;
  onClose: () => void;
  width: number;
  /** Whether the dialog fills the height of the window even with little content. */
  tall?: boolean;
  children: ReactNode;
}

/** A dialog without header and footer, for content that draws its own. It must contain a `DialogTitle`. */
export const DialogFrame = ({ opened, onClose, width, tall = false, children }: DialogFrameProps) => {
  useFocusReturn();
  useEscape(opened, onClose);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      size={width}
      transitionProps={{ duration: 0 }}
      classNames={{ inner: css.inner ?? '', content: `${css.content} ${tall ? css.tall : ''}` }}
    >
      <Modal.Overlay className={css.scrim} />
      <Modal.Content>{children}</Modal.Content>
    </Modal.Root>
  );
};

export const DialogTitle = Modal.Title;
