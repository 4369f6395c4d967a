import { type ReactNode, useEffect, useRef, useState } from 'react';
import { locale } from '../../../lang/locale.ts';
import { labelledDays } from './axis.ts';
import css from './charts.module.css';

/** Width in pixels before the chart is measured. */
const WIDTH = 300;
const HEIGHT = 132;
const LEFT = 36;
const BOTTOM = 20;
const TOP = 10;
const PLOT = HEIGHT - TOP - BOTTOM;

/** A day of the axis in the user's format. Days are counted in UTC. */
export const dayText = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Positions in the chart: of a day on the x axis, and of a value on the y axis. */
export interface Scales {
  readonly x: (index: number) => number;
  readonly width: number;
  readonly y: (value: number) => number;
}

export interface DayChartProps {
  days: readonly string[];
  /** The value at the upper end of the axis. */
  end: number;
  format: (value: number) => string;
  /** Draws the content between the axes. */
  draw: (scales: Scales) => ReactNode;
}

/** A chart of values by day, drawn as wide as its column, so that its texts have the same size at every width. Hidden from screen readers, which read the table after it. */
export const DayChart = ({ days, end, format, draw }: DayChartProps) => {
  const chart = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(WIDTH);
  useEffect(() => {
    const element = chart.current;
    if (!element) return;
    const measure = (): void => setWidth(Math.round(element.getBoundingClientRect().width) || WIDTH);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const slot = (width - LEFT) / Math.max(1, days.length);
  const scales: Scales = {
    x: (index) => LEFT + index * slot + slot * 0.15,
    width: slot * 0.7,
    y: (value) => TOP + PLOT * (1 - value / end),
  };
  const anchors = ['start', 'middle', 'end'] as const;
  return (
    <svg
      ref={chart}
      className={css.chart}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      height={HEIGHT}
      aria-hidden="true"
      focusable="false"
    >
      {[0, end / 2, end].map((value) => (
        <g key={value}>
          <path className={css.grid} d={`M${LEFT} ${scales.y(value)}H${width}`} />
          {Number.isInteger(value) || end > 10 ? (
            <text x={LEFT - 6} y={scales.y(value) + 3.5} textAnchor="end">
              {format(value)}
            </text>
          ) : null}
        </g>
      ))}
      {draw(scales)}
      {labelledDays(days.length).map((index, at, all) => (
        <text
          key={index}
          x={at === 0 ? LEFT : at === all.length - 1 ? width : scales.x(index) + scales.width / 2}
          y={HEIGHT - 5}
          textAnchor={all.length === 1 ? 'start' : anchors[at === all.length - 1 ? 2 : at]}
        >
          {dayText(days[index] ?? '')}
        </text>
      ))}
    </svg>
  );
};
