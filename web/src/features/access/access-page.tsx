import type { Grant, MemberAccess } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { grantsQuery, memberAccessQuery, rolesQuery } from '../../api/access-queries.ts';
import { errorText } from '../../api/api-error.ts';
import { inventoryQuery, teamQuery, templateQuery, viewsQuery } from '../../api/queries.ts';
import { Button, buttonClass } from '../../ui/basics/button.tsx';
import type { FixedValuesForm } from '../../ui/forms/launch-form.ts';
import chips from '../../ui/lists/status-chips.module.css';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar, PageHeader } from '../../ui/page/page.tsx';
import css from './access.module.css';
import { AccessReasons } from './access-reasons.tsx';
import { AccessTable } from './access-table.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { GrantList } from './grant-list.tsx';
import { RestrictionSwitches } from './restriction-switches.tsx';

/** The chips above the table: everyone, or the members with a right. */
const CHIPS = [
  { id: 'all', text: 'grants.everyone', holds: () => true },
  { id: 'run', text: 'grants.canRun', holds: ({ run }: MemberAccess) => run.allowed },
  { id: 'approve', text: 'grants.canApprove', holds: ({ approve }: MemberAccess) => approve.allowed },
  { id: 'edit', text: 'grants.canEdit', holds: ({ edit }: MemberAccess) => edit.allowed },
] as const;

interface AccessPageProps {
  project: number;
  template: number;
  /** The fields of fixed hosts and answers. */
  fixed: FixedValuesForm;
}

/** Who may see, run and edit a template, and why; grants on it, and whether it is restricted. */
export const AccessPage = ({ project, template: id, fixed }: AccessPageProps) => {
  const { t } = useTranslation();
  const template = useQuery(templateQuery(project, id));
  const access = useQuery(memberAccessQuery(project, id));
  const grants = useQuery(grantsQuery(project));
  const { data: views = [] } = useQuery(viewsQuery(project));
  const { data: inventories = [] } = useQuery(inventoryQuery(project));
  const { data: roles = [] } = useQuery(rolesQuery(project));
  const { data: team = [] } = useQuery(teamQuery(project));
  const [chip, setChip] = useState<(typeof CHIPS)[number]['id']>('all');
  const [chosen, setChosen] = useState<number>();
  const [edited, setEdited] = useState<Grant | 'new'>();
  const survey = template.data?.survey_vars ?? [];
  const names = { inventories, roles, survey, users: team.map(({ user_id, name }) => ({ id: user_id, name })) };
  const view = views.find((one) => one.id === template.data?.view_id);
  const own = (grants.data ?? []).filter(
    (grant) => grant.template_id === id || (view !== undefined && grant.view_id === view.id),
  );
  const members = access.data ?? [];
  const shown = members.filter((member) => CHIPS.find((one) => one.id === chip)?.holds(member));
  const member = members.find(({ user_id }) => user_id === chosen);
  const isRestricted = template.data?.restricted === true || view?.restricted === true;
  const failed = [template, access, grants].find(({ error }) => error !== null);
  return (
    <>
      <PageHeader title={t('grants.titleOf', { name: template.data?.name ?? '' })}>
        <Link
          to="/project/$projectId/roles"
          params={{ projectId: project }}
          search={{}}
          className={buttonClass('quiet')}
        >
          {t('roles.title')}
        </Link>
        {template.data ? (
          <Button icon="plus" onClick={() => setEdited('new')}>
            {t('grants.grantAccess')}
          </Button>
        ) : null}
      </PageHeader>
      {failed ? (
        <Bar>
          <LoadError text={errorText(failed.error)} retry={() => void failed.refetch()} />
        </Bar>
      ) : null}
      {template.data ? <RestrictionSwitches template={template.data} view={view} /> : null}
      <Bar>
        <fieldset className={chips.chips} aria-label={t('grants.who')}>
          {CHIPS.map((one) => (
            <button
              key={one.id}
              type="button"
              className={chips.chip}
              aria-pressed={one.id === chip}
              onClick={() => setChip(one.id)}
            >
              {t(one.text)} <b>{members.filter((each) => one.holds(each)).length}</b>
            </button>
          ))}
        </fieldset>
      </Bar>
      <AccessTable
        members={shown}
        roles={roles}
        chosen={member?.user_id}
        onChoose={(userId) => setChosen(userId === chosen ? undefined : userId)}
      />
      {member ? (
        <AccessReasons
          project={project}
          member={member}
          isRestricted={isRestricted}
          grants={own}
          names={names}
          onEdit={setEdited}
        />
      ) : null}
      <h2 className={css.heading}>{t('grants.grants')}</h2>
      <GrantList project={project} grants={own} names={names} onEdit={setEdited} />
      {edited && template.data ? (
        <GrantDialog
          fixed={fixed}
          template={template.data}
          grant={edited === 'new' ? undefined : edited}
          names={names}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </>
  );
};
