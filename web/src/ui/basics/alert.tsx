import type { ReactNode } from 'react';
import type { StatusColour, StatusShape } from '../tasks/status.ts';
import { StatusIcon } from '../tasks/status-icon.tsx';
import css from './alert.module.css';

// A neutral notice has no icon, because it has no status.
const SHAPES: Partial<Record<StatusColour, StatusShape>> = { error: 'cross', ok: 'check', stop: 'square' };

/** A notice with a coloured edge. Errors are announced by screen readers immediately. */
export const Alert = ({
  colour,
  shape = SHAPES[colour],
  children,
  action,
}: {
  colour: StatusColour;
  /** Shape of its icon. Default: that of the colour. */
  shape?: StatusShape | undefined;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <div className={`${css.alert} ${colour}`} role={colour === 'error' ? 'alert' : undefined}>
    {shape === undefined ? null : (
      <span className={css.icon}>
        <StatusIcon colour={colour} shape={shape} />
      </span>
    )}
    <div className={`grow ${css.text}`}>{children}</div>
    {action ? <div className={css.action}>{action}</div> : null}
  </div>
);
