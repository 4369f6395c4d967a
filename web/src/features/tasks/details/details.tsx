import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { templateQuery } from '../../../api/queries.ts';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { Choice } from '../../../ui/forms/choice.tsx';
import css from '../task.module.css';
import { DetailCommand } from './detail-command.tsx';
import { DetailFields } from './detail-fields.tsx';

const DetailYaml = lazyPart(() => import('./detail-yaml.tsx'), 'DetailYaml');

type Form = 'fields' | 'yaml' | 'command';

/** A task with the arguments of its template, which it takes when it starts. */
const useWithArguments = (task: Task): Task => {
  const isWaiting = task.status === 'waiting';
  const { data: template } = useQuery({ ...templateQuery(task.project_id, task.template_id), enabled: isWaiting });
  return isWaiting ? { ...task, tpl_arguments: template?.arguments ?? null } : task;
};

/** All that a task was started with: as fields, as YAML, or as a command line. */
export const Details = ({ task: given }: { task: Task }) => {
  const { t } = useTranslation();
  const task = useWithArguments(given);
  const [form, setForm] = useState<Form>('fields');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={css.scroll} tabIndex={0} aria-label={t('task.tabDetails')}>
      <div className={css.detailForm}>
        <Choice
          label={<span className="sr">{t('details.form')}</span>}
          options={[
            { value: 'fields', label: t('details.fields') },
            { value: 'yaml', label: 'YAML' },
            { value: 'command', label: t('details.command') },
          ]}
          value={form}
          onChange={setForm}
        />
      </div>
      {form === 'fields' ? <DetailFields task={task} /> : null}
      {form === 'command' ? <DetailCommand task={task} /> : null}
      {form === 'yaml' ? (
        <Suspense fallback={null}>
          <DetailYaml task={task} />
        </Suspense>
      ) : null}
    </section>
  );
};
