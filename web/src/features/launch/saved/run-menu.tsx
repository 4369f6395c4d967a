import type { Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/basics/button.tsx';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { LazyMenu } from '../../../ui/menus/lazy-menu.tsx';

const load = () => import('./run-menu-list.tsx');
const RunMenuList = lazyPart(load, 'RunMenuList');

/** The menu next to the run button of a template. */
export const RunMenu = ({ template }: { template: Template }) => {
  const { t } = useTranslation();
  const button = <IconButton icon="down" label={t('saved.menuOf', { name: template.name })} />;
  return (
    <LazyMenu load={load} button={button}>
      <RunMenuList template={template} button={button} />
    </LazyMenu>
  );
};
