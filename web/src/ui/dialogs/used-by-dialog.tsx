import type { References } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { Icon, type IconName } from '../basics/icon.tsx';
import { Dialog } from './dialog.tsx';
import css from './used-by-dialog.module.css';

const KINDS = [
  ['templates', 'usedBy.templates', 'templates', '/project/$projectId/templates'],
  ['inventories', 'usedBy.inventories', 'inventory', '/project/$projectId/inventory'],
  ['repositories', 'usedBy.repositories', 'repository', '/project/$projectId/repositories'],
  ['schedules', 'usedBy.schedules', 'clock', undefined],
] as const satisfies readonly (readonly [keyof References, string, IconName, string | undefined])[];

export interface UsedByDialogProps {
  project: number;
  /** The kind of object that can't be deleted, as it appears in the text: "key". */
  noun: string;
  name: string;
  references: References;
  onClose: () => void;
}

/** Shows why an object can't be deleted, with links to all objects that use it. */
export const UsedByDialog = ({ project, noun, name, references, onClose }: UsedByDialogProps) => {
  const { t } = useTranslation();
  const params = { projectId: project };
  const isNamed = KINDS.some(([kind]) => references[kind].length > 0);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('usedBy.title', { object: noun })}
      which={name}
      width={520}
      footer={
        <>
          <span className={css.rest} />
          <Button onClick={onClose} data-autofocus>
            {t('action.close')}
          </Button>
        </>
      }
    >
      {isNamed ? <p>{t('usedBy.text', { object: noun })}</p> : null}
      {KINDS.map(([kind, title, icon, to]) =>
        references[kind].length === 0 ? null : (
          <section key={kind} className={css.kind}>
            <h3>{t(title)}</h3>
            <ul>
              {references[kind].map(({ id, name: user }) => (
                <li key={id}>
                  <Icon name={icon} />
                  {kind === 'templates' ? (
                    <Link
                      to="/project/$projectId/templates/$templateId"
                      params={{ ...params, templateId: id }}
                      search={{}}
                      onClick={onClose}
                    >
                      {user}
                    </Link>
                  ) : to === undefined ? (
                    user
                  ) : (
                    <Link to={to} params={params} search={{ edit: id }} onClick={onClose}>
                      {user}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      {references.used_by_hidden ? <p>{t('usedBy.hidden')}</p> : null}
    </Dialog>
  );
};
