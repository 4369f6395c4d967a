import type { ReactNode } from 'react';
import css from './icon.module.css';

const box = (x: number, y: number, width: number, height: number, rx: number) => (
  <rect x={x} y={y} width={width} height={height} rx={rx} />
);

/** One icon set: a grid of 16 px, strokes of 1.5 px with round ends, in the colour of the text. */
const DRAWINGS = {
  again: <path d="M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3" />,
  alert: <path d="M8 2.5 14 13.25H2zM8 6.75v3M8 11.5h.01" />,
  back: <path d="M10 4 6 8l4 4" />,
  build: <path d="m8 1.75 5.5 3.1v6.3L8 14.25l-5.5-3.1v-6.3zM2.5 4.9 8 8l5.5-3.1M8 8v6.25" />,
  calendar: (
    <>
      {box(2.5, 3.5, 11, 10, 1.5)}
      <path d="M2.5 6.75h11M5.5 1.75v3M10.5 1.75v3" />
    </>
  ),
  check: <path d="m3 8.5 3.5 3.5L13 4.5" />,
  clock: (
    <>
      <circle cx={8} cy={8} r={5.75} />
      <path d="M8 5v3.25l2 1.25" />
    </>
  ),
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  columns: (
    <>
      <path d="M2.5 4.5h6M12.5 4.5h1M2.5 11.5h1M7.5 11.5h6" />
      <circle cx={10.5} cy={4.5} r={1.75} />
      <circle cx={5.5} cy={11.5} r={1.75} />
    </>
  ),
  copy: (
    <>
      {box(5.5, 5.5, 8, 8, 1.5)}
      <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
    </>
  ),
  dashboard: <path d="M2 13V9M6 13V5M10 13V7.5M14 13V3" />,
  deploy: <path d="M8 10.5v-8M4.75 5.75 8 2.5l3.25 3.25M2.5 10v3.5h11V10" />,
  down: <path d="m4 6 4 4 4-4" />,
  download: <path d="M8 2.5v8M4.75 7.25 8 10.5l3.25-3.25M2.5 13.5h11" />,
  eye: (
    <>
      <path d="M1.5 8S3.75 3.75 8 3.75 14.5 8 14.5 8 12.25 12.25 8 12.25 1.5 8 1.5 8z" />
      <circle cx={8} cy={8} r={2} />
    </>
  ),
  eyeOff: (
    <path d="M6.5 4A6 6 0 0 1 8 3.75C12.25 3.75 14.5 8 14.5 8a12 12 0 0 1-2 2.6M4 5.2A11 11 0 0 0 1.5 8S3.75 12.25 8 12.25a6 6 0 0 0 3-.8M6.6 6.6a2 2 0 0 0 2.8 2.8M2.5 2.5l11 11" />
  ),
  fold: <path d="M2.5 8h11M8 1.75v3.5M6.25 3.75 8 5.5l1.75-1.75M8 14.25v-3.5M6.25 12.25 8 10.5l1.75 1.75" />,
  full: <path d="M9.5 2.5h4v4M13.5 2.5l-4 4M6.5 13.5h-4v-4M2.5 13.5l4-4" />,
  help: (
    <>
      <circle cx={8} cy={8} r={5.75} />
      <path d="M6.25 6.5a1.75 1.75 0 1 1 3 1.25C8.5 8.4 8 8.7 8 9.5M8 11.5h.01" />
    </>
  ),
  edit: <path d="m10 3.5 2.5 2.5L5.5 13H3v-2.5zM8.75 4.75l2.5 2.5" />,
  environment: (
    <path d="M6 2.5H5A1.5 1.5 0 0 0 3.5 4v2.5L2.25 8l1.25 1.5V12A1.5 1.5 0 0 0 5 13.5h1M10 2.5h1A1.5 1.5 0 0 1 12.5 4v2.5L13.75 8 12.5 9.5V12a1.5 1.5 0 0 1-1.5 1.5h-1" />
  ),
  globe: (
    <>
      <circle cx={8} cy={8} r={5.75} />
      <path d="M2.25 8h11.5M8 2.25c2 1.7 2.75 3.6 2.75 5.75S10 12.05 8 13.75C6 12.05 5.25 10.15 5.25 8S6 3.95 8 2.25" />
    </>
  ),
  info: (
    <>
      <circle cx={8} cy={8} r={5.75} />
      <path d="M8 7.25V11M8 5h.01" />
    </>
  ),
  inventory: (
    <>
      {box(2.5, 2.75, 11, 4.5, 1)}
      {box(2.5, 8.75, 11, 4.5, 1)}
      <path d="M5 5h.01M5 11h.01M7.5 5h3.5M7.5 11h3.5" />
    </>
  ),
  keep: <path d="M4 2.5h8v11l-4-3.2-4 3.2z" />,
  key: (
    <>
      <circle cx={5} cy={11} r={2.75} />
      <path d="m7 9 6.5-6.5M10.5 5.5l2 2" />
    </>
  ),
  lock: (
    <>
      {box(3, 7, 10, 6.5, 1.5)}
      <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" />
    </>
  ),
  label: <path d="M8.5 2.5h5v5l-6 6-5-5zM10.75 5.25h.01" />,
  link: (
    <path d="m6.75 9.25 2.5-2.5M7.5 4.5l1.25-1.25a2.83 2.83 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.25 1.25a2.83 2.83 0 0 1-4-4L4.5 7.5" />
  ),
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  moon: <path d="M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z" />,
  next: <path d="m6 4 4 4-4 4" />,
  phone: (
    <>
      {box(4.5, 1.75, 7, 12.5, 1.5)}
      <path d="M7.25 11.75h1.5" />
    </>
  ),
  pause: <path d="M5.5 3v10M10.5 3v10" />,
  play: <path d="M4.5 3v10l8-5z" />,
  plus: <path d="M8 3v10M3 8h10" />,
  repository: (
    <>
      <circle cx={4.5} cy={3.75} r={1.5} />
      <circle cx={4.5} cy={12.25} r={1.5} />
      <circle cx={11.5} cy={5.75} r={1.5} />
      <path d="M4.5 5.25v5.5M11.5 7.25c0 2.25-2 2.5-4 2.75-1.6.2-2.6.5-3 .9" />
    </>
  ),
  runner: (
    <>
      {box(2.5, 2.75, 11, 8, 1)}
      <path d="M5.5 13.5h5M8 10.75v2.75M5 6.75h2M9 6.75h.01" />
    </>
  ),
  search: (
    <>
      <circle cx={7} cy={7} r={4.25} />
      <path d="m10.25 10.25 3.25 3.25" />
    </>
  ),
  send: <path d="M14 2 2 7l4.75 2.25L9 14zM14 2 6.75 9.25" />,
  signOut: <path d="M6.5 13.5h-4v-11h4M7 8h6.5M11 5.5 13.5 8 11 10.5" />,
  square: box(3.5, 3.5, 9, 9, 1),
  sun: (
    <>
      <circle cx={8} cy={8} r={2.75} />
      <path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7" />
    </>
  ),
  webhook: (
    <>
      <circle cx={8} cy={4.5} r={2.25} />
      <circle cx={4} cy={11.5} r={2.25} />
      <circle cx={12} cy={11.5} r={2.25} />
      <path d="M6.9 6.5 5.1 9.5M9.1 6.5l1.8 3M6.25 11.5h3.5" />
    </>
  ),
  wrap: <path d="M2.5 4h11M2.5 8h8.75a2.25 2.25 0 0 1 0 4.5H8.5M10 10.75 8.25 12.5 10 14.25M2.5 12.5h3" />,
  tail: <path d="M8 2.5v8M4.75 7.25 8 10.5l3.25-3.25M4 13.5h8" />,
  task: (
    <>
      {box(1.75, 2.75, 12.5, 10.5, 1.5)}
      <path d="m4.5 6 2 2-2 2M8.5 10h3" />
    </>
  ),
  team: (
    <>
      <circle cx={6} cy={5.25} r={2.5} />
      <path d="M1.75 13.25c.3-2.6 1.8-4 4.25-4s3.95 1.4 4.25 4M10.5 2.9a2.5 2.5 0 0 1 0 4.7M11.75 9.5c1.5.5 2.35 1.75 2.5 3.75" />
    </>
  ),
  templates: <path d="M2 3.5h7M2 8h5M2 12.5h7M10.5 6.2v3.6l3-1.8z" />,
  trash: <path d="M2.75 4.25h10.5M6 4V2.5h4V4M4 4.25l.6 9.25h6.8l.6-9.25M6.75 7v4M9.25 7v4" />,
  up: <path d="m4 10 4-4 4 4" />,
  upDown: <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof DRAWINGS;

/** Whether an icon of that name exists. */
export const isIconName = (name: string): name is IconName => Object.hasOwn(DRAWINGS, name);

/** An icon next to a text or in a labelled button. Hidden from screen readers. */
export const Icon = ({ name, className = '' }: { name: IconName; className?: string | undefined }) => (
  <svg className={`${css.icon} ${className}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    {DRAWINGS[name]}
  </svg>
);
