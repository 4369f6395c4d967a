import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, useId } from 'react';
import { useTranslation } from 'react-i18next';
import selection from '../../../ui/lists/selection.module.css';
import css from './playbooks.module.css';
import type { Proposal } from './proposals.ts';

interface PlaybookRowProps {
  project: number;
  proposal: Proposal;
  /** Undefined if the user may not create templates. */
  choice:
    | {
        readonly isChosen: boolean;
        readonly name: string;
        readonly problem: string | undefined;
        readonly onChosen: (isChosen: boolean) => void;
        readonly onName: (name: string) => void;
      }
    | undefined;
}

/** One playbook: its plays, the templates that run it, and the name of the template that it can become. */
export const PlaybookRow = ({ project, proposal: { path, plays, usedBy }, choice }: PlaybookRowProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li className={css.row}>
      {choice ? (
        <span className={selection.target}>
          <input
            type="checkbox"
            id={id}
            className={selection.check}
            checked={choice.isChosen}
            onChange={({ currentTarget }) => choice.onChosen(currentTarget.checked)}
          />
        </span>
      ) : null}
      <div className={css.playbook}>
        {choice ? (
          <label htmlFor={id} className="mono">
            {path}
          </label>
        ) : (
          <span className="mono">{path}</span>
        )}
        {plays.length > 0 ? <p>{plays.join(t('separator.comma'))}</p> : null}
        {usedBy.length > 0 ? (
          <p>
            {t('playbooks.usedBy')}{' '}
            {usedBy.map((template, index) => (
              <Fragment key={template.id}>
                {index > 0 ? t('separator.comma') : null}
                <Link
                  to="/project/$projectId/templates/$templateId"
                  params={{ projectId: project, templateId: template.id }}
                  search={{}}
                >
                  {template.name}
                </Link>
              </Fragment>
            ))}
          </p>
        ) : null}
      </div>
      {choice?.isChosen ? (
        <TextInput
          className={css.name ?? ''}
          aria-label={t('playbooks.name', { playbook: path })}
          maxLength={255}
          value={choice.name}
          error={choice.problem}
          onChange={({ currentTarget }) => choice.onName(currentTarget.value)}
        />
      ) : null}
    </li>
  );
};
