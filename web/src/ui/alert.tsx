import type { ReactNode } from 'react';
import css from './alert.module.css';
import { Lamp } from './lamp.tsx';
import type { LampColour, LampShape } from './status.ts';

// A plain remark has no lamp: nothing about it is a state.
const SHAPES: Partial<Record<LampColour, LampShape>> = { error: 'cross', ok: 'check', stop: 'square' };

/** A sentence that matters, with the edge of its lamp. An error is read out at once. */
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
