import type { FreezeWindow } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { freezeWindowsQuery } from '../../../api/queries.ts';
import type { PlacedFreeze } from '../week-blocks.ts';
import { targetOf } from './freeze-form-values.ts';
import css from './frozen-times.module.css';
import { useTargetText } from './use-target-text.ts';

/** The freeze windows of a project by their ids. */
export const useWindows = (project: number): ReadonlyMap<number, FreezeWindow> => {
  const { data } = useQuery(freezeWindowsQuery(project));
  return useMemo(() => new Map(data?.map((window) => [window.id, window])), [data]);
};

/** Whether a window freezes only some templates, and so is a thin line next to the blocks of a day. */
export const isPartial = (window: FreezeWindow | undefined): boolean =>
  window !== undefined && targetOf(window).target !== 'project';

interface FrozenTimesProps {
  project: number;
  freezes: readonly PlacedFreeze[];
  windows: ReadonlyMap<number, FreezeWindow>;
}

/** The times of freeze windows in a day: hatched for the whole project, a line for those of one object. */
export const FrozenTimes = ({ project, freezes, windows }: FrozenTimesProps) => {
  const { t } = useTranslation();
  const targetText = useTargetText(project);
  return freezes.map(({ window: id, top, height, isFirst }) => {
    const window = windows.get(id);
    const name = window?.name ?? '';
    const text =
      window && isPartial(window)
        ? t('freeze.inWeekOf', { name, target: targetText(window) })
        : t('freeze.inWeek', { name });
    return (
      <div
        key={`${id} ${top}`}
        className={isPartial(window) ? css.line : css.hatched}
        style={{ top, height }}
        title={text}
      >
        {isFirst ? <span>{text}</span> : <span className="sr">{text}</span>}
      </div>
    );
  });
};
