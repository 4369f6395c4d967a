import { Menu } from '@mantine/core';
import type { Template } from '@signalbox/contract';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from '../../../ui/lists/filter-input.tsx';
import type { ButtonElement } from '../../../ui/menus/lazy-menu.tsx';
import { OpenedMenu } from '../../../ui/menus/opened-menu.tsx';
import css from './host.module.css';

/** Templates above which the menu has a filter, and that it shows at most. */
const [FILTERED, SHOWN] = [8, 50];

interface RunOnHostListProps {
  limit: string;
  templates: readonly Template[];
  button: ButtonElement;
}

/** The templates that can run on the hosts. A choice opens the new task dialog with the hosts as its limit. */
export const RunOnHostList = ({ limit, templates, button }: RunOnHostListProps) => {
  const { t } = useTranslation();
  const router = useRouter();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const matching = templates.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, SHOWN);
  return (
    <OpenedMenu button={button} position="bottom-end" width={300}>
      {templates.length > FILTERED ? (
        <div className={css.menuFilter}>
          <FilterInput label={t('hostPage.findTemplate')} value={text} onChange={setText} />
        </div>
      ) : null}
      <div className={css.menuList}>
        {matching.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() =>
              void router.navigate({
                to: '.',
                search: (before) => ({ ...before, run: id, limit }),
                resetScroll: false,
              })
            }
          >
            {name}
          </Menu.Item>
        ))}
        {matching.length === 0 ? <Menu.Label>{t('hostPage.noTemplateMatch')}</Menu.Label> : null}
      </div>
    </OpenedMenu>
  );
};
