import { MAX_SELECTED } from 'virtual:routes';
import { useCallbackRef, useDisclosure } from '@mantine/hooks';
import type { Template, TemplateOutcomes } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, type CSSProperties, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import {
  environmentsQuery,
  inventoryQuery,
  labelsQuery,
  outcomesQuery,
  repositoriesQuery,
  roleQuery,
  templatesQuery,
  viewsQuery,
} from '../../api/queries.ts';
import { savedLaunchCountsQuery } from '../../api/saved-launches.ts';
import { mayDo, mayWith, mayWithAny } from '../../ui/access/permissions.ts';
import { buttonClass, IconButton } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { FilterInput } from '../../ui/lists/filter-input.tsx';
import { NoMatch } from '../../ui/lists/no-match.tsx';
import { RowBlocks } from '../../ui/lists/row-blocks.tsx';
import { SkeletonRows } from '../../ui/lists/skeleton-rows.tsx';
import { StatusChips } from '../../ui/lists/status-chips.tsx';
import table from '../../ui/lists/table.module.css';
import { useColumns } from '../../ui/lists/use-columns.ts';
import { useSelection } from '../../ui/lists/use-selection.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { Bar, EmptyState, PageHeader } from '../../ui/page/page.tsx';
import { FirstRunSteps } from './first-run/first-run-steps.tsx';
import { LabelFilter } from './labels/label-filter.tsx';
import sticky from './sticky-head.module.css';
import {
  filledColumns,
  type Names,
  namesById,
  readSorting,
  sortingText,
  statusOf,
  TEMPLATE_COLUMNS,
} from './template-list.ts';
import { TemplateRow } from './template-row.tsx';
import css from './templates.module.css';
import { TemplatesHead } from './templates-head.tsx';
import type { TemplatesState } from './templates-state.ts';
import { useTemplateRows } from './use-template-rows.ts';
import { ViewTabs } from './view-tabs.tsx';

const ColumnsDialog = lazyPart(() => import('./columns-dialog.tsx'), 'ColumnsDialog');

const EditViewsDialog = lazyPart(() => import('./views/edit-views-dialog.tsx'), 'EditViewsDialog');

const SelectedTemplates = lazyPart(() => import('./selected/selected-templates.tsx'), 'SelectedTemplates');

const LabelsDialog = lazyPart(() => import('./labels/labels-dialog.tsx'), 'LabelsDialog');

const NO_OUTCOMES: never[] = [];
const NO_LABELS: never[] = [];
/**
 * Widths of the columns in pixels, as in the style sheet. In windows narrower than their sum the table scrolls
 * horizontally.
 */
const WIDTHS = {
  status: 168,
  outcomes: 100,
  version: 84,
  last_task: 216,
  playbook: 148,
  inventory: 124,
  environment: 124,
  repository: 124,
};
/** Width of the columns that cannot be hidden: the name and the button, in pixels. */
const FIXED_WIDTH = 264 + 142;
/**
 * Width of the table in a window of 1280 pixels, next to the drawer. If the columns need more, their cells have two
 * lines and the table gets this minimum width.
 */
export const DENSE_WIDTH = 956;

const useNames = (project: number): Names => {
  const { data: inventory } = useQuery(inventoryQuery(project));
  const { data: environment } = useQuery(environmentsQuery(project));
  const { data: repository } = useQuery(repositoriesQuery(project));
  return useMemo(
    () => ({
      inventory: namesById(inventory),
      environment: namesById(environment),
      repository: namesById(repository),
    }),
    [inventory, environment, repository],
  );
};

/** How the last tasks of each template ended; undefined while that loads. */
const useOutcomes = (project: number): ReadonlyMap<number, TemplateOutcomes['tasks']> | undefined => {
  const { data, isPending } = useQuery(outcomesQuery(project));
  return useMemo(
    () => (isPending ? undefined : new Map(data?.map(({ template_id, tasks }) => [template_id, tasks]))),
    [data, isPending],
  );
};

/** Ids of the templates that have saved launches. */
const useLaunches = (project: number): ReadonlySet<number> => {
  const { data } = useQuery(savedLaunchCountsQuery(project));
  return useMemo(() => new Set(data?.map(({ template_id }) => template_id)), [data]);
};

const useOpened = () => {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback(
    (id: number) =>
      setOpened((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
    [],
  );
  return { opened, toggle };
};

/** The numbers of running and waiting templates. */
const Now = ({ templates }: { templates: readonly Template[] }) => {
  const { t } = useTranslation();
  const statuses = templates.map(({ last_task }) => last_task?.status);
  const running = statuses.filter((status) => status === 'running' || status === 'starting' || status === 'stopping');
  const waiting = statuses.filter((status) => status === 'waiting');
  const counts = [
    running.length > 0 ? t('templates.running', { count: running.length }) : '',
    waiting.length > 0 ? t('templates.waiting', { count: waiting.length }) : '',
  ];
  return <span className={css.now}>{counts.filter(Boolean).join(', ')}</span>;
};

export interface TemplatesPageProps {
  project: number;
  view: number | undefined;
  state: TemplatesState;
  onState: (change: TemplatesState) => void;
  /** The menu with the saved launches of a template. */
  RunMenu?: ComponentType<{ template: Template }>;
}

/** The template list: every template, its last task, and a button to run it. */
export const TemplatesPage = ({ project, view, state, onState, RunMenu }: TemplatesPageProps) => {
  const { t } = useTranslation();
  const query = useQuery(templatesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  const mayEdit = mayDo(role, 'edit_templates');
  const names = useNames(project);
  const outcomes = useOutcomes(project);
  const launches = useLaunches(project);
  const { opened, toggle } = useOpened();
  const { data: known } = useQuery(viewsQuery(project));
  const sorting = readSorting(state.sort);
  const restrictedViews = useMemo(
    () => new Set(known?.filter(({ restricted }) => restricted).map(({ id }) => id)),
    [known],
  );
  const isDeleted = view !== undefined && known !== undefined && !known.some(({ id }) => id === view);
  const [sheet, { open, close }] = useDisclosure(false);
  const [isEditing, views] = useDisclosure(false);
  const [isLabelling, labelling] = useDisclosure(false);
  const { shown: chosen, toggle: toggleColumn } = useColumns(`project_${project}_templates`, TEMPLATE_COLUMNS);
  const inView = useMemo(
    () => (query.data ?? []).filter((template) => view === undefined || template.view_id === view),
    [query.data, view],
  );
  const columns = useMemo(() => filledColumns(chosen, inView), [chosen, inView]);
  const { status, label, group } = state;
  const { data: labels = NO_LABELS } = useQuery(labelsQuery(project));
  const { text, found, matching, shown, rows } = useTemplateRows(inView, state, names, labels);
  const maySelect = mayWithAny(role, 'run') || mayWithAny(role, 'edit');
  const selection = useSelection(
    shown.map(({ id }) => id),
    MAX_SELECTED,
  );
  // The same function in each rendering, so that rows whose selection did not change are not drawn again.
  const select = useCallbackRef(selection.toggle);
  const width = columns.reduce((sum, column) => sum + WIDTHS[column], FIXED_WIDTH);
  return (
    <>
      <PageHeader title={t('templates.title')}>
        {mayEdit ? <IconButton icon="label" label={t('labels.edit')} onClick={labelling.open} /> : null}
        {mayEdit ? <IconButton icon="edit" label={t('views.title')} onClick={views.open} /> : null}
        <IconButton icon="columns" label={t('templates.columns')} onClick={open} />
        {mayEdit ? (
          <Link
            className={buttonClass('outline')}
            to="/project/$projectId/templates/new/edit"
            params={{ projectId: project }}
            search={{}}
          >
            <Icon name="plus" />
            {t('templateForm.new')}
          </Link>
        ) : null}
      </PageHeader>
      <ViewTabs project={project} templates={query.data} />
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {isDeleted ? (
        <NotFoundNotice what="view">
          <Link to="/project/$projectId/templates" params={{ projectId: project }} search={{}}>
            {t('notFound.templates')}
          </Link>
        </NotFoundNotice>
      ) : query.data?.length === 0 ? (
        <FirstRunSteps project={project} />
      ) : (
        <>
          <Bar>
            <FilterInput
              label={t('templates.filter')}
              value={state.q ?? ''}
              onChange={(q) => onState({ q: q === '' ? undefined : q })}
            />
            <StatusChips
              statuses={matching.map(statusOf)}
              chosen={status}
              onChoose={(chosen) => onState({ status: chosen })}
            />
            <LabelFilter
              labels={labels}
              templates={found}
              chosen={label}
              isGrouped={group !== undefined}
              onState={onState}
            />
            <Now templates={inView} />
          </Bar>
          <div className={`${table.scroll} ${sticky.list}`}>
            <table
              className={`${table.table} ${table.cards} ${css.templates} ${width > DENSE_WIDTH ? css.dense : ''} ${maySelect ? css.selects : ''}`}
              style={{ '--width': `${width}px`, '--dense-width': `${DENSE_WIDTH}px` } as CSSProperties}
              data-menus={launches.size > 0 || undefined}
              aria-busy={query.isPending}
            >
              <TemplatesHead
                columns={columns}
                sorting={sorting}
                onSort={(to) => onState({ sort: sortingText(to) })}
                selection={maySelect ? selection : undefined}
              />
              {query.isPending ? (
                <tbody>
                  <SkeletonRows columns={columns.length + 2} />
                </tbody>
              ) : null}
              <RowBlocks rows={rows} columns={columns.length + 2}>
                {(row) => (
                  <TemplateRow
                    key={`${row.group?.id ?? ''}-${row.template.id}`}
                    template={row.template}
                    labels={labels}
                    groupLabel={row.isFirst ? (row.group ?? 'none') : undefined}
                    view={view}
                    outcomes={outcomes && (outcomes.get(row.template.id) ?? NO_OUTCOMES)}
                    names={names}
                    columns={columns}
                    opened={opened.has(row.template.id)}
                    onToggle={toggle}
                    onSelect={maySelect ? select : undefined}
                    isSelected={selection.has(row.template.id)}
                    mayRun={mayWith(role, row.template.id, 'run')}
                    isRestricted={row.template.restricted || restrictedViews.has(row.template.view_id ?? 0)}
                    RunMenu={launches.has(row.template.id) ? RunMenu : undefined}
                  />
                )}
              </RowBlocks>
            </table>
          </div>
          <Suspense>
            {maySelect ? <SelectedTemplates project={project} templates={shown} selection={selection} /> : null}
          </Suspense>
          {query.isSuccess && rows.length === 0 ? (
            text === '' && status === undefined && label === undefined ? (
              <EmptyState title={t('templates.emptyView')} />
            ) : (
              <NoMatch
                title={t('templates.noMatch')}
                onClear={() => onState({ q: undefined, status: undefined, label: undefined })}
              />
            )
          ) : null}
        </>
      )}
      <Suspense>
        {isLabelling ? <LabelsDialog project={project} onClose={labelling.close} /> : null}
        {isEditing ? <EditViewsDialog project={project} onClose={views.close} /> : null}
        {sheet ? <ColumnsDialog opened onClose={close} shown={chosen} onToggle={toggleColumn} /> : null}
      </Suspense>
    </>
  );
};
