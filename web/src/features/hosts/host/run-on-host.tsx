import type { Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/basics/button.tsx';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { LazyMenu } from '../../../ui/menus/lazy-menu.tsx';

const load = () => import('./run-on-host-list.tsx');
const RunOnHostList = lazyPart(load, 'RunOnHostList');

interface RunOnHostProps {
  host: string;
  /** Templates that the user may run and that take a limit. */
  templates: readonly Template[];
}

/** Starts a chosen template on this host only. */
export const RunOnHost = ({ host, templates }: RunOnHostProps) => {
  const { t } = useTranslation();
  if (templates.length === 0) return null;
  const button = <Button icon="play">{t('hostPage.runOn')}</Button>;
  return (
    <LazyMenu load={load} button={button}>
      <RunOnHostList host={host} templates={templates} button={button} />
    </LazyMenu>
  );
};
