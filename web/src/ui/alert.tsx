import type { ReactNode } from 'react';
import css from './alert.module.css';
import { Lamp } from './lamp.tsx';
import type { LampColour } from './status.ts';

/** A sentence that matters, with the edge of its lamp. An error is read out at once. */
export const Alert = ({ lamp, children, action }: { lamp: LampColour; children: ReactNode; action?: ReactNode }) => (
  <div className={`${css.alert} ${lamp}`} role={lamp === 'error' ? 'alert' : undefined}>
    <span className={css.lamp}>
      <Lamp colour={lamp} shape={lamp === 'error' ? 'cross' : lamp === 'ok' ? 'check' : 'clock'} />
    </span>
    <div className="grow">{children}</div>
    {action}
  </div>
);
