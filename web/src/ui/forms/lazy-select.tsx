import { TextInput } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Icon } from '../basics/icon.tsx';
import { lazyPart } from '../browser/lazy-part.ts';
import type { SearchSelectProps } from './search-select.tsx';

const load = () => import('./search-select.tsx');
const FoundSelect = lazyPart(load, 'SearchSelect');

/** Delay after the page's own data has loaded, in milliseconds. */
const AFTER = 1_000;

/** A select input whose code and options load after the page. Until then it shows the selected option. */
export const LazySelect = (props: Omit<SearchSelectProps, 'takesFocus'>) => {
  const [stage, setStage] = useState<'later' | 'loaded' | 'focused'>('later');
  const isBusy = useIsFetching() > 0;
  useEffect(() => {
    if (isBusy) return;
    const fetch = () =>
      void load().then(
        () => setStage((before) => (before === 'later' ? 'loaded' : before)),
        // Loading is repeated when the user opens it.
        () => undefined,
      );
    const timer = setTimeout(fetch, AFTER);
    return () => clearTimeout(timer);
  }, [isBusy]);
  const placeholder = (
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
      onFocus={() => setStage('focused')}
    />
  );
  if (stage === 'later') return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <FoundSelect {...props} takesFocus={stage === 'focused'} />
    </Suspense>
  );
};
