import type { References } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../basics/icon.tsx';
import css from './used-by.module.css';

const KINDS = [
  ['templates', 'usedBy.templates', 'templates', '/project/$projectId/templates'],
  ['inventories', 'usedBy.inventories', 'inventory', '/project/$projectId/inventory'],
  ['repositories', 'usedBy.repositories', 'repository', '/project/$projectId/repositories'],
  ['schedules', 'usedBy.schedules', 'clock', '/project/$projectId/schedules'],
] as const satisfies readonly (readonly [keyof References, string, IconName, string])[];

/** The number of named objects that use another one. */
export const countNamed = (references: References): number =>
  KINDS.reduce((sum, [kind]) => sum + references[kind].length, 0);

interface UsedByListProps {
  project: number;
  references: References;
  /** Closes the dialog, or opens a new tab. */
  links: { readonly onClick: () => void } | { readonly target: '_blank' };
}

/** The objects that use another one by kind, with links. */
export const UsedByList = ({ project, references, links }: UsedByListProps) => {
  const { t } = useTranslation();
  const params = { projectId: project };
  return (
    <>
      {KINDS.map(([kind, title, icon, to]) =>
        references[kind].length === 0 ? null : (
          <section key={kind} className={css.kind}>
            <h3>{t(title)}</h3>
            <ul>
              {references[kind].map(({ id, name }) => (
                <li key={id}>
                  <Icon name={icon} />
                  {kind === 'templates' ? (
                    <Link
                      to="/project/$projectId/templates/$templateId"
                      params={{ ...params, templateId: id }}
                      search={{}}
                      {...links}
                    >
                      {name}
                    </Link>
                  ) : (
                    <Link to={to} params={params} search={{ edit: id }} {...links}>
                      {name}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      {references.used_by_hidden ? <p className={css.hidden}>{t('usedBy.hidden')}</p> : null}
    </>
  );
};
