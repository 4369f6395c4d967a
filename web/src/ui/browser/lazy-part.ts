import { type ComponentType, lazy } from 'react';
import { retried } from './retried.ts';

/** A component of a module that is loaded when the component is first shown, also after a connection that was lost. */
// biome-ignore lint/suspicious/noExplicitAny: components with any props; the props of each are kept
export const lazyPart = <K extends string, C extends ComponentType<any>>(
  load: () => Promise<Readonly<Record<K, C>>>,
  name: K,
) => lazy(async () => ({ default: (await retried(load))[name] }));
