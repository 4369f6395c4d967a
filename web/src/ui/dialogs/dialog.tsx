import { Modal } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../basics/button.tsx';
import css from './dialog.module.css';
import { useFocusReturn } from './focus-return.ts';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** What it is about. */
  title: ReactNode;
  /** Grey beside the title: which one. */
  which?: ReactNode;
  width?: number;
  /** Drawn between header and footer; scrolls when it must. */
  children: ReactNode;
  footer?: ReactNode;
  /** Makes the dialog a form that Enter sends. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** Off for a body that brings its own margins. */
  padded?: boolean;
  /** Nothing in it takes the focus: the body does then, so that keys can scroll it. */
  isRead?: boolean;
}

/** Header, body and footer with hairlines between; fills the screen on phones. `Esc` closes it, focus goes back. */
export const Dialog = ({
  opened,
  onClose,
  title,
  which,
  width = 560,
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
        <IconButton icon="close" label={t('action.close')} onClick={onClose} />
      </div>
      {onSubmit ? (
        <form className={css.form} onSubmit={onSubmit} noValidate>
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
  /** Fills the height of the window even when there is little in it. */
  tall?: boolean;
  children: ReactNode;
}

/** The dialog without header and footer, for a body that draws its own. It must hold a `DialogTitle`. */
export const DialogFrame = ({ opened, onClose, width, tall = false, children }: DialogFrameProps) => {
  useFocusReturn();
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
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
