import type { Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { DialogLink } from '../../ui/basics/links.tsx';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';

type Runnable = Pick<Template, 'id' | 'name' | 'type'>;

/** The run button of a template, labelled by its type. Opens the new task dialog over the page. */
export const RunLink = ({
  template,
  variant = 'run',
  isNamed = false,
}: {
  template: Runnable;
  variant?: 'run' | 'primary';
  /** Whether the name of the template is shown. */
  isNamed?: boolean;
}) => {
  const { t } = useTranslation();
  const { actionKey: action, actionIcon } = templateTypeStyle(template.type);
  const label = t(action);
  return (
    <DialogLink className={buttonClass(variant)} search={{ run: template.id }} aria-label={`${label} ${template.name}`}>
      <Icon name={actionIcon} />
      {isNamed ? `${label} ${template.name}` : label}
    </DialogLink>
  );
};

/** Opens the new task dialog with the answers of a task. */
export const AgainLink = ({ template, task }: { template: number; task: number }) => {
  const { t } = useTranslation();
  return (
    <DialogLink
      className={buttonClass('quiet', true)}
      search={{ run: template, again: task }}
      // The accessible name starts with the visible label, so that speech control finds the button.
      aria-label={`${t('task.again')} #${task}`}
      title={t('task.againOf', { id: task })}
    >
      <Icon name="again" />
      {t('task.again')}
    </DialogLink>
  );
};
