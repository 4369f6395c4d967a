import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Lamp } from '../tasks/status-icon.tsx';
import css from './toast.module.css';
import { closeSnack, currentSnack, onSnack } from './toast-store.ts';

/** Shows the newest message at the bottom of the page for three seconds. */
export const Snackbar = () => {
  const { t } = useTranslation();
  const snack = useSyncExternalStore(onSnack, currentSnack);
  return createPortal(
    <div role="status" aria-live="polite">
      {snack ? (
        <div className={`${css.snack} ${snack.kind}`} key={snack.id}>
          <Lamp colour={snack.kind} shape={snack.kind === 'ok' ? 'check' : 'cross'} />
          <span className="grow">{snack.text}</span>
          <button type="button" onClick={closeSnack}>
            {t('action.close')}
          </button>
        </div>
      ) : null}
    </div>,
    document.body,
  );
};
