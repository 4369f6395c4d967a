import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dayText } from './day-chart.tsx';

/** The head of a table whose first column names its rows. */
export const HeadRow = ({ labels }: { labels: readonly string[] }) => (
  <thead>
    <tr>
      {labels.map((label) => (
        <th key={label} scope="col">
          {label}
        </th>
      ))}
    </tr>
  </thead>
);

interface DayTableProps {
  caption: string;
  labels: readonly string[];
  rows: readonly { readonly day: string; readonly cells: readonly ReactNode[] }[];
}

/** The values of a chart as a table for screen readers. */
export const DayTable = ({ caption, labels, rows }: DayTableProps) => {
  const { t } = useTranslation();
  return (
    // In a box, because a table itself can't be hidden visually.
    <div className="sr">
      <table>
        <caption>{caption}</caption>
        <HeadRow labels={[t('charts.day'), ...labels]} />
        <tbody>
          {rows.map(({ day, cells }) => (
            <tr key={day}>
              <th scope="row">{dayText(day)}</th>
              {cells.map((cell, at) => (
                <td key={labels[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
