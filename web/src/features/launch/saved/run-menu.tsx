import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { roleQuery } from '../../../api/queries.ts';
import { mayWith } from '../../../ui/access/permissions.ts';
import { IconButton } from '../../../ui/basics/button.tsx';
import { LazyMenu } from '../../../ui/menus/lazy-menu.tsx';

const load = () => import('./run-menu-list.tsx');
const RunMenuList = lazy(async () => ({ default: (await load()).RunMenuList }));

/** The menu next to the run button of a template, for users who may run tasks. */
export const RunMenu = ({ template }: { template: Template }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(template.project_id));
  if (!mayWith(role, template.id, 'run')) return null;
  const button = <IconButton icon="down" label={t('saved.menuOf', { name: template.name })} />;
  return (
    <LazyMenu load={load} button={button}>
      <RunMenuList template={template} button={button} />
    </LazyMenu>
  );
};
