import type { Label, Template } from '@signalbox/contract';
import { type ComponentType, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { RowLink } from '../../ui/basics/links.tsx';
import { RowCheck, selectOnSpace } from '../../ui/lists/row-check.tsx';
import table from '../../ui/lists/table.module.css';
import type { Selection } from '../../ui/lists/use-selection.ts';
import { OutcomeStrip } from '../../ui/tasks/outcome-strip.tsx';
import type { Outcome } from '../../ui/tasks/outcomes.ts';
import { shownStatus } from '../../ui/tasks/status.ts';
import { StatusLabel } from '../../ui/tasks/status-icon.tsx';
import { TaskBy, Version } from '../../ui/tasks/task-cells.tsx';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import { useNowAs } from '../../ui/time/clock.ts';
import { taskDuration, usualDuration } from '../../ui/time/time.ts';
import { GroupHead, LabelChips } from './labels/label-chips.tsx';
import { LastTasks } from './last-tasks.tsx';
import { RunLink } from './run-link.tsx';
import type { Names, TemplateColumn } from './template-list.ts';
import nameCss from './template-name.module.css';
import css from './templates.module.css';

export interface TemplateRowProps {
  template: Template;
  /** The labels of the project. */
  labels: readonly Label[];
  /** The label whose group starts with this row; `none` for templates without labels. */
  groupLabel?: Label | 'none' | undefined;
  view: number | undefined;
  /** Outcomes of the newest tasks, newest first. Undefined while they load. */
  outcomes: readonly Outcome[] | undefined;
  names: Names;
  columns: readonly TemplateColumn[];
  opened: boolean;
  onToggle: (template: number) => void;
  /** Selects or deselects the row; undefined for users who may do nothing with several templates. */
  onSelect?: Selection['toggle'] | undefined;
  isSelected: boolean;
  /** Whether the template or its view is restricted: only owners and users with a grant may use it. */
  isRestricted: boolean;
  mayRun: boolean;
  /** The menu next to the run button; undefined without saved launches. */
  RunMenu?: ComponentType<{ template: Template }> | undefined;
}

interface NameProps {
  template: Template;
  view: number | undefined;
  isRestricted: boolean;
}

const Name = ({ template, view, isRestricted }: NameProps) => {
  const { t } = useTranslation();
  const typeStyle = templateTypeStyle(template.type);
  const params = { projectId: template.project_id, templateId: template.id };
  return (
    <span className={nameCss.called}>
      <span title={t(typeStyle.labelKey)} className={css.type}>
        <Icon name={typeStyle.icon} />
      </span>
      <RowLink
        className={`${table.name} cut`}
        title={template.name}
        go={
          view === undefined
            ? { to: '/project/$projectId/templates/$templateId', params, search: {} }
            : {
                to: '/project/$projectId/views/$viewId/templates/$templateId',
                params: { ...params, viewId: view },
                search: {},
              }
        }
      >
        {template.name}
      </RowLink>
      {isRestricted ? (
        <span className={nameCss.lock} title={t('grants.restricted')}>
          <Icon name="lock" />
          <span className="sr">{t('grants.restricted')}</span>
        </span>
      ) : null}
    </span>
  );
};

/** A name that the column may truncate. The full name is the tooltip. */
const Named = ({ name }: { name: string | undefined }) => <span title={name}>{name ?? '–'}</span>;

const cell = (column: TemplateColumn, { template, outcomes, names }: TemplateRowProps): ReactNode => {
  const { last_task: last } = template;
  switch (column) {
    case 'status':
      return <StatusLabel status={last ? shownStatus(last) : 'none'} />;
    case 'outcomes':
      return <OutcomeStrip tasks={outcomes ?? (last === null ? [] : undefined)} />;
    case 'version':
      return <Version task={last} />;
    case 'last_task':
      return last === null ? <span className="faint">–</span> : <TaskBy task={last} />;
    case 'playbook':
      return (
        <span className="mono" title={template.playbook}>
          {template.playbook}
        </span>
      );
    case 'inventory':
      return <Named name={names.inventory.get(template.inventory_id ?? 0)} />;
    case 'environment':
      return <Named name={names.environment.get(template.environment_id)} />;
    case 'repository':
      return <Named name={names.repository.get(template.repository_id)} />;
  }
};

/** Progress of a running task according to its usual duration; nothing if that is unknown. */
const useProgress = ({ template: { last_task: last }, outcomes }: TemplateRowProps): string | undefined =>
  useNowAs((now) => {
    if (last?.status !== 'running') return undefined;
    const usual = usualDuration(outcomes ?? []);
    const passed = taskDuration(last, now);
    return usual && passed !== undefined ? `${Math.min(98, (passed / usual) * 100)}%` : undefined;
  });

/** With more labels than this, they need two lines. */
const LABELS_IN_LINE = 5;

const labelLines = (labels: number) => (labels === 0 ? undefined : labels > LABELS_IN_LINE ? 'many' : 'few');

/** A row of the template list with its run button. Unfolds to show the last five tasks. */
export const TemplateRow = memo((props: TemplateRowProps) => {
  const { t } = useTranslation();
  const { template, labels, groupLabel, columns, opened, onToggle, view, onSelect, isSelected, mayRun, RunMenu } =
    props;
  const selection = onSelect && { has: () => isSelected, toggle: onSelect };
  const progress = useProgress(props);
  const style = progress === undefined ? {} : ({ '--progress': progress } as Record<string, string>);
  return (
    <>
      {groupLabel === undefined ? null : <GroupHead label={groupLabel} columns={columns.length + 2} />}
      <tr
        className={`${css.row} ${opened ? table.open : ''} ${progress === undefined ? '' : table.progress}`}
        style={style}
        data-template={template.id}
        data-labels={labelLines(template.labels.length)}
        onKeyDown={selection ? (event) => selectOnSpace(event, template.id, selection) : undefined}
      >
        <td className={css.name}>
          <span className={table.cell}>
            {selection ? <RowCheck id={template.id} name={template.name} selection={selection} /> : null}
            <span className="not-phone">
              <IconButton
                icon={opened ? 'down' : 'next'}
                label={t('templates.lastFive', { name: template.name })}
                small
                aria-expanded={opened}
                onClick={() => onToggle(template.id)}
              />
            </span>
            <span className={nameCss.naming}>
              <Name template={template} view={view} isRestricted={props.isRestricted} />
              {template.labels.length === 0 ? null : (
                <span className={nameCss.labels}>
                  <LabelChips ids={template.labels} labels={labels} />
                </span>
              )}
            </span>
          </span>
        </td>
        {columns.map((column) => (
          <td key={column} className={css[column]}>
            {cell(column, props)}
          </td>
        ))}
        <td className={`${css.run} ${table.sticky}`}>
          {mayRun ? (
            <span className={css.runs}>
              <RunLink template={template} />
              {RunMenu ? <RunMenu template={template} /> : null}
            </span>
          ) : null}
        </td>
      </tr>
      {opened ? <LastTasks template={template} columns={columns} mayRun={mayRun} /> : null}
    </>
  );
});
