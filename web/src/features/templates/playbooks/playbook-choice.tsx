import type { RepositoryScan, Template } from '@signalbox/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { numberText } from '../../../lang/locale.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { PageLeaveGuard } from '../../../ui/page/page-leave-guard.tsx';
import { PlaybookRow } from './playbook-row.tsx';
import css from './playbooks.module.css';
import { fileOf, initiallyChosen, proposalsOf, type TargetValues } from './proposals.ts';
import { TargetFields } from './target-fields.tsx';
import { useCreation } from './use-creation.ts';

interface PlaybookChoiceProps {
  project: number;
  repository: number;
  scan: RepositoryScan;
  templates: readonly Template[];
  mayCreate: boolean;
  onCreated: (ids: readonly number[]) => void;
}

/** The playbooks of a repository; those that the user chooses become templates. */
export const PlaybookChoice = ({ project, repository, scan, templates, mayCreate, onCreated }: PlaybookChoiceProps) => {
  const { t } = useTranslation();
  const proposals = proposalsOf(scan, templates, repository);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(initiallyChosen(proposals)));
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [target, setTarget] = useState<TargetValues>({ inventory: null, key: null, environment: null });
  const [wasSubmitted, setSubmitted] = useState(false);
  const { creation, problems } = useCreation({
    ...{ project, repository, onCreated },
    onRefused: (paths) => setChosen(new Set(paths)),
    onInventory: (id) => setTarget((before) => ({ ...before, inventory: String(id) })),
  });
  const nameOf = (path: string, proposed: string) => names[path] ?? proposed;
  const playbooks = proposals
    .filter(({ path }) => chosen.has(path))
    .map(({ path, name }) => ({ path, name: nameOf(path, name) }));
  const isComplete =
    target.inventory !== null &&
    (fileOf(target.inventory) === undefined || target.key !== null) &&
    playbooks.every(({ name }) => name.trim() !== '');
  const problemOf = (path: string, name: string): string | undefined => {
    if (wasSubmitted && name.trim() === '') return t('form.nameRequired');
    return problems.has(path) ? errorText(problems.get(path)) : undefined;
  };
  const choose = (path: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, path] : [...before].filter((other) => other !== path)));
  const submit = () => {
    setSubmitted(true);
    if (isComplete) creation.mutate({ chosen: playbooks, target });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <PageLeaveGuard hasChanges={Object.keys(names).length > 0 && !creation.isPending} />
      <ul className={css.list} aria-label={t('playbooks.list')}>
        {proposals.map((proposal) => {
          const { path } = proposal;
          const name = nameOf(path, proposal.name);
          return (
            <PlaybookRow
              key={path}
              project={project}
              proposal={proposal}
              choice={
                mayCreate
                  ? {
                      ...{ isChosen: chosen.has(path), name, problem: problemOf(path, name) },
                      onChosen: (isChosen) => choose(path, isChosen),
                      onName: (text) => setNames((before) => ({ ...before, [path]: text })),
                    }
                  : undefined
              }
            />
          );
        })}
      </ul>
      {mayCreate ? (
        <div className={css.target}>
          <TargetFields
            project={project}
            files={scan.inventories}
            values={target}
            wasSubmitted={wasSubmitted}
            onChange={(change) => {
              setTarget((before) => ({ ...before, ...change }));
              // A field that appears now has not been filled in yet.
              if (change.inventory !== undefined) setSubmitted(false);
            }}
          />
          {creation.error ? <Alert colour="error">{errorText(creation.error)}</Alert> : null}
          {problems.size > 0 ? (
            <Alert colour="error">
              {t('playbooks.refused', { count: problems.size, number: numberText(problems.size) })}
            </Alert>
          ) : null}
          <Button type="submit" variant="primary" busy={creation.isPending} disabled={playbooks.length === 0}>
            {t('playbooks.create', { count: playbooks.length, number: numberText(playbooks.length) })}
          </Button>
        </div>
      ) : null}
    </form>
  );
};
