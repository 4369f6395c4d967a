import { startTransition, useEffect, useState } from 'react';
import { afterFrame } from '../../ui/lists/after-frame.ts';

/**
 * Whether the table of the list is in the page, shown or hidden. Removing many rows takes long, so it stays until the
 * week was drawn.
 */
export const useListInPage = (isList: boolean, isWeekRead: boolean): boolean => {
  const [stays, setStays] = useState(isList);
  if (isList && !stays) setStays(true);
  useEffect(
    () => (stays && !isList && isWeekRead ? afterFrame(() => startTransition(() => setStays(false))) : undefined),
    [stays, isList, isWeekRead],
  );
  return stays || isList;
};
