import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownStatus, type StatusColour, type StatusShape, statusStyle } from './status.ts';
import css from './status-icon.module.css';

const SHAPES: Record<StatusShape, ReactNode> = {
  clock: (
    <>
      <circle className={css.ring} cx="8" cy="8" r="6.5" />
      <path className={css.hand} d="M8 4.75V8l2.25 1.5" />
    </>
  ),
  arc: (
    <>
      <circle className={css.circle} cx="8" cy="8" r="6.25" />
      <path className={css.arc} d="M8 1.75A6.25 6.25 0 0 1 14.25 8" />
      <circle className={css.core} cx="8" cy="8" r="2.25" />
    </>
  ),
  check: (
    <>
      <circle className={css.core} cx="8" cy="8" r="7.25" />
      <path className={css.glyph} d="m4.9 8.3 2.2 2.2 4-4.5" />
    </>
  ),
  cross: (
    <>
      <circle className={css.core} cx="8" cy="8" r="7.25" />
      <path className={css.glyph} d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8" />
    </>
  ),
  square: (
    <>
      <circle className={css.core} cx="8" cy="8" r="7.25" />
      <rect className={css.block} x="5.3" y="5.3" width="5.4" height="5.4" rx="0.8" />
    </>
  ),
  bars: (
    <>
      <circle className={css.core} cx="8" cy="8" r="7.25" />
      <path className={css.glyph} d="M6.2 5.4v5.2M9.8 5.4v5.2" />
    </>
  ),
  slash: (
    <>
      <circle className={css.ring} cx="8" cy="8" r="6.5" />
      <path className={css.hand} d="m3.6 12.4 8.8-8.8" />
    </>
  ),
  dashed: <circle className={css.ring} cx="8" cy="8" r="6.5" strokeDasharray="2 2.08" />,
};

/** The status icon alone, for use next to its label. */
export const StatusIcon = ({
  colour,
  shape,
  size = 16,
}: {
  colour: StatusColour;
  shape: StatusShape;
  size?: number;
}) => (
  <span className={`${css.statusIcon} ${colour}`}>
    <svg className={css.disc} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
      {SHAPES[shape]}
    </svg>
  </span>
);

/** Icon and label of a status. `none` is the status of a template that was never launched. */
export const StatusLabel = ({ status }: { status: ShownStatus | 'none' }) => {
  const { t } = useTranslation();
  const style = statusStyle(status);
  return (
    <span className={`${css.label} ${style.quiet ? css.quiet : style.colour}`} data-status={status}>
      <StatusIcon colour={style.colour} shape={style.shape} />
      {t(style.labelKey)}
    </span>
  );
};

/** The large status icon with a halo, for the header of a task. */
export const LargeStatusIcon = ({ status }: { status: ShownStatus }) => {
  const style = statusStyle(status);
  return (
    <span className={`${css.halo} ${style.colour}`}>
      <StatusIcon colour={style.colour} shape={style.shape} size={24} />
    </span>
  );
};
