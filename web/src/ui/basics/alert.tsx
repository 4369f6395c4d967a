import type { ReactNode } from 'react';
import type { LampColour, LampShape } from '../tasks/status.ts';
import { Lamp } from '../tasks/status-icon.tsx';
import css from './alert.module.css';

// A neutral notice has no icon, because it has no status.
const SHAPES: Partial<Record<LampColour, LampShape>> = { error: 'cross', ok: 'check', stop: 'square' };

/** A notice with a coloured edge. Errors are announced by screen readers immediately. */
export const Alert = ({ lamp, children, action }: { lamp: LampColour; children: ReactNode; action?: ReactNode }) => (
  <div className={`${css.alert} ${lamp}`} role={lamp === 'error' ? 'alert' : undefined}>
    {SHAPES[lamp] === undefined ? null : (
      <span className={css.lamp}>
        <Lamp colour={lamp} shape={SHAPES[lamp]} />
      </span>
    )}
    <div className="grow">{children}</div>
    {action}
  </div>
);
