import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { StatusIcon } from '../tasks/status-icon.tsx';
import css from './toast.module.css';
import { closeToast, currentToast, onToast } from './toast-store.ts';

/** Shows the newest message at the bottom of the page for three seconds. */
export const Toast = () => {
  const { t } = useTranslation();
  const toast = useSyncExternalStore(onToast, currentToast);
  return createPortal(
    <div role="status" aria-live="polite">
      {toast ? (
        <div className={`${css.toast} ${toast.kind}`} key={toast.id}>
          <StatusIcon colour={toast.kind} shape={toast.kind === 'ok' ? 'check' : 'cross'} />
          <span className="grow">{toast.text}</span>
          <button type="button" onClick={closeToast}>
            {t('action.close')}
          </button>
        </div>
      ) : null}
    </div>,
    document.body,
  );
};
