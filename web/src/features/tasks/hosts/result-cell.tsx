import type { HostResult } from '@signalbox/contract';
import type { ReactNode } from 'react';
import css from './hosts.module.css';

/** Each result has its own shape and colour; a dot is a host that the step did not reach. */
export type ShapeName = HostResult | 'rescued' | 'running' | 'none';

const SHAPES: Readonly<Record<ShapeName, ReactNode>> = {
  ok: <circle className={css.ok} cx="7" cy="7" r="3.25" />,
  changed: <rect className={css.changed} x="2.5" y="2.5" width="9" height="9" rx="1" />,
  ignored: <path className={css.skipped} d="M4 4l6 6M10 4l-6 6" />,
  skipped: <path className={css.skipped} d="M4 7h6" />,
  rescued: <path className={css.ok} d="M3 4l3 3-3 3M7.5 4l3 3-3 3" />,
  failed: (
    <>
      <rect className={css.failed} x="1" y="1" width="12" height="12" rx="2" />
      <path className={css.cross} d="M4.6 4.6l4.8 4.8M9.4 4.6 4.6 9.4" />
    </>
  ),
  unreachable: <path className={css.unreachable} d="M7 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM3.2 10.8l7.6-7.6" />,
  running: (
    <>
      <circle className={css.running} cx="7" cy="7" r="5" />
      <circle className={css.runningDot} cx="7" cy="7" r="2" />
    </>
  ),
  none: <circle className={css.none} cx="7" cy="7" r="1" />,
};

/** The icon of one result. */
export const ResultShape = ({ result }: { result: ShapeName }) => (
  <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" focusable="false">
    {SHAPES[result]}
  </svg>
);
