import type { SavedLaunch, Task, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/basics/icon.tsx';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { Ago } from '../../ui/time/times.tsx';
import css from './new-task.module.css';
import { KeptOptions, LostOptions } from './options/option-differences.tsx';
import { storedOptions } from './saved/saved-values.ts';

/** What filled the form: an earlier task, or a saved launch. */
export type Origin =
  | { readonly task: Task /** Whether the limit is not that of the task. */; readonly hasOwnLimit: boolean }
  | { readonly launch: SavedLaunch };

interface FilledProps {
  template: Template;
  from: Origin;
  onBlank: () => void;
}

/** Names what filled the form, and what is different now. */
export const Filled = ({ template, from, onBlank }: FilledProps) => {
  const { t } = useTranslation();
  return (
    <>
      <p className={css.again}>
        <Icon name="again" />
        {'task' in from ? (
          <span>
            {t('newTask.filled')} <TaskLink id={from.task.id} />
            {t('separator.comma')}
            <Ago at={from.task.created} />
            {t('separator.stop')}
            <KeptOptions template={template} earlier={from.task} except={from.hasOwnLimit ? 'limit' : undefined} />
          </span>
        ) : (
          <span>{t('saved.filled', { name: from.launch.name })}</span>
        )}
        <button type="button" className={css.blank} onClick={onBlank}>
          {t('newTask.blank')}
        </button>
      </p>
      <LostOptions
        template={template}
        earlier={'task' in from ? from.task : storedOptions(template, from.launch.launch_values)}
        message={(options) =>
          'task' in from
            ? t('launch.lost', { id: from.task.id, options })
            : t('saved.lost', { name: from.launch.name, options })
        }
      />
    </>
  );
};
