import { Menu } from '@mantine/core';
import type { SavedLaunch, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { savedLaunchesQuery } from '../../../api/saved-launches.ts';
import type { ButtonElement } from '../../../ui/menus/lazy-menu.tsx';
import { OpenedMenu } from '../../../ui/menus/opened-menu.tsx';
import css from './saved.module.css';

interface SavedMenuListProps {
  template: Pick<Template, 'id' | 'project_id'>;
  button: ButtonElement;
  onChoose: (launch: SavedLaunch) => void;
  /** Further entries below the saved launches. */
  children?: ReactNode;
}

/** The saved launches of a template, private ones first. */
export const SavedMenuList = ({ template, button, onChoose, children }: SavedMenuListProps) => {
  const { t } = useTranslation();
  const { data, error } = useQuery(savedLaunchesQuery(template.project_id, template.id));
  const groups = [
    [t('saved.own'), data?.filter(({ shared }) => !shared) ?? []],
    [t('saved.shared'), data?.filter(({ shared }) => shared) ?? []],
  ] as const;
  return (
    <OpenedMenu button={button} position="bottom-end" width={280}>
      {error ? <Menu.Label>{errorText(error)}</Menu.Label> : null}
      {data?.length === 0 ? <Menu.Label>{t('saved.none')}</Menu.Label> : null}
      {groups.map(([label, launches]) =>
        launches.length === 0
          ? null
          : [
              <Menu.Label key={label}>{label}</Menu.Label>,
              ...launches.map((launch) => (
                <Menu.Item key={launch.id} onClick={() => onChoose(launch)}>
                  <span className={css.entry}>{launch.name}</span>
                </Menu.Item>
              )),
            ],
      )}
      {children}
    </OpenedMenu>
  );
};
