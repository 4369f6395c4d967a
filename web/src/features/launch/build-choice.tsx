import { Select } from '@mantine/core';
import type { Task, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { buildsQuery } from '../../api/queries.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Ago } from '../../ui/time/times.tsx';
import css from './new-task.module.css';
import type { NewTaskFormState } from './new-task-form.tsx';

/** The builds that a deploy template can use. Loads nothing for other templates. */
export const useBuilds = (template: Template) =>
  useQuery({
    ...buildsQuery(template.project_id, template.build_template_id ?? 0),
    enabled: template.build_template_id !== null,
  });

const BuildOption = ({ build }: { build: Task }) => (
  <span className={css.build}>
    <span className="mono">{build.version}</span>
    <span className="grow cut">{build.message}</span>
    <span className={css.when}>
      #{build.id}, <Ago at={build.created} />
    </span>
  </span>
);

export interface BuildChoiceProps {
  form: NewTaskFormState;
  builds: ReturnType<typeof useBuilds>;
}

/** Chooses the build to deploy. Default: the newest one. */
export const BuildChoice = ({ form, builds }: BuildChoiceProps) => {
  const { t } = useTranslation();
  const list = builds.data ?? [];
  const newest = list[0]?.id;
  const { build } = form.values;
  const { setFieldValue } = form;
  useEffect(() => {
    if (build === '' && newest !== undefined) setFieldValue('build', String(newest));
  }, [build, newest, setFieldValue]);
  if (builds.error) return <LoadError text={errorText(builds.error)} retry={() => void builds.refetch()} />;
  return (
    <Select
      label={t('newTask.build')}
      description={builds.isSuccess && list.length === 0 ? t('newTask.noBuilds') : undefined}
      searchable
      allowDeselect={false}
      data={list.map(({ id, version, message }) => ({
        value: String(id),
        label: [version, message].filter(Boolean).join(' '),
      }))}
      renderOption={({ option }) => {
        const found = list.find(({ id }) => String(id) === option.value);
        return found ? <BuildOption build={found} /> : option.label;
      }}
      {...form.getInputProps('build')}
    />
  );
};
