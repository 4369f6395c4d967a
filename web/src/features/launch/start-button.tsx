import type { Template, TemplateType } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../lang/locale.ts';
import { Button } from '../../ui/basics/button.tsx';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import type { LaunchHosts } from './hosts/use-hosts.ts';
import css from './new-task.module.css';

/** Catalogue keys of the action of each type on a number of hosts. */
const ON_HOSTS: Readonly<Record<TemplateType, string>> = {
  '': 'newTask.runOn',
  build: 'newTask.buildOn',
  deploy: 'newTask.deployTo',
};

/** Number of hosts for which the button keeps space while the hosts are read. */
const USUAL_HOSTS = 100;

interface StartButtonProps {
  template: Template;
  /** The version that a deploy will run. */
  version: string | undefined;
  hosts: LaunchHosts;
  busy: boolean;
}

/** Starts the task. Names the version, and the number of hosts once they are known. */
export const StartButton = ({ template, version, hosts, busy }: StartButtonProps) => {
  const { t } = useTranslation();
  const { actionKey, actionIcon } = templateTypeStyle(template.type);
  const { inventory, matching, isBusy } = hosts;
  const onHosts = (count: number): string => {
    const number = numberText(count);
    return version === undefined
      ? t(ON_HOSTS[template.type], { count, number })
      : t('newTask.deployVersionTo', { version, count, number });
  };
  const action = version === undefined ? t(actionKey) : t('newTask.actionVersion', { action: t(actionKey), version });
  // The button must not grow under the pointer of a user who aims at the button next to it.
  const widest = isBusy || matching ? onHosts(inventory?.hosts.length ?? USUAL_HOSTS) : action;
  return (
    <Button type="submit" variant="primary" icon={actionIcon} busy={busy}>
      <span className={css.start} data-widest={widest}>
        {matching ? onHosts(matching.length) : action}
      </span>
    </Button>
  );
};
