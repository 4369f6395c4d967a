import type { AccessDecision } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { AccessCell } from './access-cell.tsx';
import { RIGHT_LABELS, RIGHTS } from './access-text.ts';

/** The headings of the columns of rights. */
export const RightHeads = () => {
  const { t } = useTranslation();
  return RIGHTS.map((right) => (
    <th key={right} scope="col">
      {t(RIGHT_LABELS[right])}
    </th>
  ));
};

interface RightCellsProps {
  decisions: Readonly<Record<(typeof RIGHTS)[number], AccessDecision>>;
  /** The name of the role of the member. */
  role: string;
}

/** What was decided about each right of one member on one template. */
export const RightCells = ({ decisions, role }: RightCellsProps) => {
  const { t } = useTranslation();
  return RIGHTS.map((right) => (
    <td key={right} data-label={t(RIGHT_LABELS[right])}>
      <AccessCell decision={decisions[right]} role={role} />
    </td>
  ));
};
