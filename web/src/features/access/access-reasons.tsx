import type { Grant, MemberAccess } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listText } from '../../lang/locale.ts';
import { limitTexts } from '../../ui/access/limit-texts.ts';
import { Button } from '../../ui/basics/button.tsx';
import css from './access.module.css';
import { type GrantNames, RIGHT_LABELS, RIGHTS, type Right, roleName } from './access-text.ts';
import { MemberTemplates } from './member-templates.tsx';
import { holdsByRole } from './role-right.ts';

interface AccessReasonsProps {
  project: number;
  member: MemberAccess;
  isRestricted: boolean;
  grants: readonly Grant[];
  names: GrantNames;
  onEdit: (grant: Grant) => void;
}

/** Why a member may do what with a template, in steps. */
export const AccessReasons = ({ project, member, isRestricted, grants, names, onEdit }: AccessReasonsProps) => {
  const { t } = useTranslation();
  const [isListing, setListing] = useState(false);
  const role = roleName(t, member, names.roles);
  const choice = names.roles.find(({ slug, role_id }) => slug === member.role && role_id === member.role_id);
  const byRole = RIGHTS.filter((right) => holdsByRole(choice, right));
  const decided = new Set(RIGHTS.flatMap((right: Right) => member[right].grant_ids));
  const permitting = grants.filter(({ id }) => decided.has(id));
  const rightNames = (rights: readonly Right[]) => listText(rights.map((right) => t(RIGHT_LABELS[right])));
  return (
    <section className={css.reasons} aria-live="polite">
      <header>
        <h2>{t('grants.why', { name: member.name })}</h2>
        <Button variant="quiet" onClick={() => setListing(true)}>
          {t('grants.everything', { name: member.name })}
        </Button>
      </header>
      <ol>
        {member.see.reason === 'admin' ? <li>{t('grants.stepAdmin')}</li> : null}
        <li>
          {t('grants.stepRole', { rights: rightNames(byRole) })}{' '}
          <Link to="/project/$projectId/roles" params={{ projectId: project }} search={{}}>
            {role}
          </Link>
        </li>
        {isRestricted && member.role !== 'owner' ? <li>{t('grants.stepRestricted')}</li> : null}
        {permitting.map((grant) => {
          const limits = limitTexts(t, grant, names.inventories, names.survey);
          return (
            <li key={grant.id}>
              {t('grants.stepGrant', { by: grant.granted_by_name, rights: rightNames(grant.rights) })}
              {limits.length === 0 ? '. ' : ` (${listText(limits)}). `}
              <Button variant="quiet" small onClick={() => onEdit(grant)}>
                {t('grants.editGrant')}
              </Button>
            </li>
          );
        })}
        {isRestricted && permitting.length === 0 && !member.see.allowed ? <li>{t('grants.stepNone')}</li> : null}
      </ol>
      {isListing ? (
        <MemberTemplates project={project} member={member} role={role} onClose={() => setListing(false)} />
      ) : null}
    </section>
  );
};
