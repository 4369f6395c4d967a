import { useBlocker } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../browser/lazy-part.ts';

const UnsavedDialog = lazyPart(() => import('./unsaved-dialog.tsx'), 'UnsavedDialog');

/**
 * Asks for confirmation before the user leaves a page whose form has unsaved changes.
 * @param hasChanges whether leaving would lose changes
 */
export const PageLeaveGuard = ({ hasChanges }: { hasChanges: boolean }) => {
  const { status, proceed, reset } = useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: () => hasChanges,
    // A dialog over the page is not another page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Suspense>
      <UnsavedDialog onStay={reset} onLeave={proceed} />
    </Suspense>
  );
};
