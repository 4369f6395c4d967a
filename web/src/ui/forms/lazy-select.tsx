import { TextInput } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../basics/icon.tsx';
import type { FoundSelectProps } from './search-select.tsx';

const load = () => import('./search-select.tsx');
const FoundSelect = lazy(async () => ({ default: (await load()).FoundSelect }));

/** Delay after the page's own data has loaded, in milliseconds. */
const AFTER = 1_000;

/** A select input whose code and options load after the page. Until then it shows the selected option. */
export const LateSelect = (props: Omit<FoundSelectProps, 'takesFocus'>) => {
  const [wanted, setWanted] = useState<'later' | 'loaded' | 'focused'>('later');
  const isBusy = useIsFetching() > 0;
  useEffect(() => {
    if (isBusy) return;
    const fetch = () =>
      void load().then(
        () => setWanted((before) => (before === 'later' ? 'loaded' : before)),
        // Loading is repeated when the user opens it.
        () => undefined,
      );
    const timer = setTimeout(fetch, AFTER);
    return () => clearTimeout(timer);
  }, [isBusy]);
  const standIn = (
    <TextInput
      className={props.className ?? ''}
      aria-label={props.label}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      readOnly
      value={props.items.find(({ value }) => value === props.value)?.label ?? ''}
      rightSection={<Icon name="upDown" />}
      rightSectionPointerEvents="none"
      onFocus={() => setWanted('focused')}
    />
  );
  if (wanted === 'later') return standIn;
  return (
    <Suspense fallback={standIn}>
      <FoundSelect {...props} takesFocus={wanted === 'focused'} />
    </Suspense>
  );
};
