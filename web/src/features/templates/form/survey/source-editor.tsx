import { Select, TextInput } from '@mantine/core';
import type { ChoiceSource } from '@signalbox/contract';
import { CHOICE_SOURCES } from '@signalbox/contract/survey';
import { useTranslation } from 'react-i18next';
import { ObjectSelect } from '../../../../ui/forms/object-select.tsx';
import css from './survey-editor.module.css';
import type { SurveyErrors } from './survey-rows.ts';

/** A build template whose versions can be choices. */
export interface BuildTemplate {
  readonly id: number;
  readonly name: string;
}

interface SourceEditorProps {
  source: ChoiceSource | null;
  builds: readonly BuildTemplate[] | undefined;
  errors: SurveyErrors;
  onChange: (source: ChoiceSource | null) => void;
}

/** The value of the option without a source, because a select input needs one. */
const LIST = 'list';

const LABELS = {
  [LIST]: 'survey.source.list',
  versions: 'survey.source.versions',
  groups: 'survey.source.groups',
  hosts: 'survey.source.hosts',
  branches: 'survey.source.branches',
  tags: 'survey.source.tags',
  address: 'survey.source.address',
} as const;

const EMPTY = { template_id: null, url: '', path: '', value_path: '', name_path: '' } as const;

/** The fields of a web address. */
const ADDRESS_FIELDS = [
  {
    name: 'url',
    label: 'survey.source.url',
    help: 'survey.source.urlHelp',
    placeholder: 'https://cmdb.example.org/api/releases',
    maxLength: 2048,
  },
  { name: 'path', label: 'survey.source.path', help: 'survey.source.pathHelp', placeholder: '$.items', maxLength: 255 },
  { name: 'value_path', label: 'survey.source.valuePath', help: undefined, placeholder: '$.id', maxLength: 255 },
  { name: 'name_path', label: 'survey.source.namePath', help: undefined, placeholder: '$.title', maxLength: 255 },
] as const;

/** Where the choices of a variable come from. */
export const SourceEditor = ({ source, builds, errors, onChange }: SourceEditorProps) => {
  const { t } = useTranslation();
  const change = (part: Partial<ChoiceSource>) => (source ? onChange({ ...source, ...part }) : undefined);
  return (
    <div className={css.source}>
      <Select
        label={t('survey.source.label')}
        data={([LIST, ...CHOICE_SOURCES] as const).map((value) => ({ value, label: t(LABELS[value]) }))}
        allowDeselect={false}
        value={source?.type ?? LIST}
        onChange={(value) => {
          const type = CHOICE_SOURCES.find((one) => one === value);
          onChange(type ? { ...EMPTY, type } : null);
        }}
      />
      {source?.type === 'versions' ? (
        <ObjectSelect
          label={t('templateForm.buildTemplate')}
          placeholder={t('templateForm.chooseBuild')}
          icon="build"
          items={builds}
          value={source.template_id === null ? null : String(source.template_id)}
          onChange={(id) => change({ template_id: id === null ? null : Number(id) })}
          error={errors['source.template_id'] as string | undefined}
        />
      ) : null}
      {source?.type === 'address'
        ? ADDRESS_FIELDS.map(({ name, label, help, ...input }) => (
            <TextInput
              key={name}
              {...input}
              className={name === 'url' ? css.wide : undefined}
              label={t(label)}
              description={help && t(help)}
              value={source[name]}
              onChange={(event) => change({ [name]: event.currentTarget.value })}
              error={errors[`source.${name}`] as string | undefined}
            />
          ))
        : null}
    </div>
  );
};
