import type { FreezeWindow } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { targetOf } from './freeze-form-values.ts';
import { useFreezeObjects } from './use-freeze-objects.ts';

const KEYS = { template: 'freeze.ofTemplate', inventory: 'freeze.ofInventory', label: 'freeze.ofLabel' } as const;

/** The kind and the name of the object that a window freezes, such as `Label production`. */
export const useTargetText = (project: number): ((window: FreezeWindow) => string) => {
  const { t } = useTranslation();
  const objects = useFreezeObjects(project);
  return (window) => {
    const { target, id } = targetOf(window);
    if (target === 'project') return t('freeze.project');
    return t(KEYS[target], { name: objects[target]?.find((one) => one.id === id)?.name ?? '' });
  };
};
