import { Menu } from '@mantine/core';
import type { SavedLaunch, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { LazyMenu } from '../../../ui/menus/lazy-menu.tsx';
import css from './saved.module.css';

const load = () => import('./saved-menu-list.tsx');
const SavedMenuList = lazyPart(load, 'SavedMenuList');

interface SavedHeadProps {
  template: Template;
  /** The saved launch that fills the form, if the user may change it. */
  current: SavedLaunch | undefined;
  onSave: () => void;
  onReplace: (launch: SavedLaunch) => void;
  onDelete: (launch: SavedLaunch) => void;
  onChoose: (launch: SavedLaunch) => void;
}

/** The buttons in the head of the new task dialog that save its values and fill it with saved ones. */
export const SavedHead = ({ template, current, onSave, onReplace, onDelete, onChoose }: SavedHeadProps) => {
  const { t } = useTranslation();
  const button = (
    <Button small>
      {t('saved.menu')}
      <Icon name="down" />
    </Button>
  );
  return (
    <>
      <Button variant="quiet" small onClick={onSave}>
        {t('saved.save')}
      </Button>
      <LazyMenu load={load} button={button}>
        <SavedMenuList template={template} button={button} onChoose={onChoose}>
          {current ? (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => onReplace(current)}>
                <span className={css.entry}>{t('saved.replace', { name: current.name })}</span>
              </Menu.Item>
              <Menu.Item onClick={() => onDelete(current)}>
                <span className={css.entry}>{t('saved.delete', { name: current.name })}</span>
              </Menu.Item>
            </>
          ) : null}
        </SavedMenuList>
      </LazyMenu>
    </>
  );
};
