import type { Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { DialogLink } from '../../ui/basics/links.tsx';
import { typeLook } from '../../ui/tasks/template-type.ts';

type Runnable = Pick<Template, 'id' | 'name' | 'type'>;

/** The run button of a template, labelled by its type. Opens the new task dialog over the page. */
export const RunLink = ({ template, look = 'run' }: { template: Runnable; look?: 'run' | 'primary' }) => {
  const { t } = useTranslation();
  const { action, actionIcon } = typeLook(template.type);
  const word = t(action);
  return (
    <DialogLink className={buttonClass(look)} search={{ run: template.id }} aria-label={`${word} ${template.name}`}>
      <Icon name={actionIcon} />
      {word}
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
