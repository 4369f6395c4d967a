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

/** Number of hosts for which the button keeps space, so that its width stays the same when the hosts are known. */
const USUAL_HOSTS = 100;

interface StartButtonProps {
  template: Template;
  /** The version that a deploy will run. */
  version: string | undefined;
  hosts: LaunchHosts;
  busy: boolean;
  /** Id of the text that states why the task can't start. */
  reason: string;
}

/** Starts the task. Names the version, and the number of hosts once they are known. */
export const StartButton = ({ template, version, hosts, busy, reason }: StartButtonProps) => {
  const { t } = useTranslation();
  const { actionKey, actionIcon } = templateTypeStyle(template.type);
  const { inventory, matching, isCounted, isEmpty } = hosts;
  const onHosts = (count: number): string => {
    const number = numberText(count);
    return version === undefined
      ? t(ON_HOSTS[template.type], { count, number })
      : t('newTask.deployVersionTo', { version, count, number });
  };
  const action = version === undefined ? t(actionKey) : t('newTask.actionVersion', { action: t(actionKey), version });
  // The button must not grow under the pointer of a user who aims at the button next to it.
  const widest = isCounted ? onHosts(Math.max(USUAL_HOSTS, inventory?.hosts.length ?? 0)) : action;
  return (
    <Button type="submit" variant="primary" icon={actionIcon} busy={busy} disabled={isEmpty} aria-describedby={reason}>
      <span className={css.start} data-widest={widest}>
        {matching ? onHosts(matching.length) : action}
      </span>
    </Button>
  );
};
