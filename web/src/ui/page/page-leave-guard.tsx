import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';

/**
 * Asks for confirmation before the user leaves a page whose form has unsaved changes.
 * @param hasChanges whether leaving would lose changes
 */
export const PageLeaveGuard = ({ hasChanges }: { hasChanges: boolean }) => {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: () => hasChanges,
    // A dialog over the page is not another page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      opened
      onClose={reset}
      title={t('form.unsaved')}
      width={480}
      footer={
        <>
          <span className="grow" />
          <Button variant="quiet" onClick={reset} data-autofocus>
            {t('form.goOn')}
          </Button>
          <Button variant="stop" onClick={proceed}>
            {t('form.throwAway')}
          </Button>
        </>
      }
    >
      <p>{t('form.discard')}</p>
    </Dialog>
  );
};
