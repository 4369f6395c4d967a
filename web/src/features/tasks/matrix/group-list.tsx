import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { limitOf } from '../../../ui/tasks/limit-of.ts';
import { durationText } from '../../../ui/time/time.ts';
import { ResultShape } from '../hosts/result-cell.tsx';
import { RunOnHosts } from '../hosts/run-on-hosts.tsx';
import type { Run, Step } from '../results/run-model.ts';
import css from './group-list.module.css';
import { WORST_FIRST } from './matrix-cell.ts';
import type { Group } from './matrix-groups.ts';
import { groupName, letterText, shapeOf } from './matrix-texts.ts';
import type { Matrix } from './use-matrix.ts';

/** Number of groups that are listed. */
const LISTED = 200;

export interface GroupListProps {
  run: Run;
  matrix: Matrix;
  onOpen: (host: number, step: number) => void;
  onRunOn: ((limit: string) => void) | undefined;
}

/** The worst step of a host: the first failed one, else the first with the next worse result. */
const worstOf = ({ hosts }: Group, run: Run): { step: Step; letter: string } | undefined => {
  const cells = hosts[0]?.cells ?? '';
  for (const letter of WORST_FIRST) {
    const step = run.steps[cells.indexOf(letter)];
    if (cells.includes(letter) && step) return { step, letter };
  }
  return undefined;
};

/** The hosts of a run on a phone: those that are alike with their worst step, and what to do. */
export const GroupList = ({ run, matrix, onOpen, onRunOn }: GroupListProps) => {
  const { t } = useTranslation();
  const groups = matrix.groups.slice(0, LISTED);
  const left = matrix.groups.slice(LISTED).reduce((count, { hosts }) => count + hosts.length, 0);
  return (
    <ul className={css.list}>
      {groups.map((group) => {
        const worst = worstOf(group, run);
        const [first] = group.hosts;
        const count = group.hosts.length;
        return (
          <li key={group.key}>
            <h3>
              <b className={css[group.block]}>{numberText(count)}</b> {groupName(t, group)}
            </h3>
            {worst && first ? (
              <button type="button" className={css.worst} onClick={() => onOpen(first.number, worst.step.step)}>
                <ResultShape result={shapeOf(worst.letter)} />
                <span>
                  {group.block === 'bad' || worst.letter === 'c'
                    ? t('matrix.at', { result: letterText(t, worst.letter), step: worst.step.name })
                    : letterText(t, group.block === 'running' ? 'a' : worst.letter)}
                </span>
              </button>
            ) : (
              <p>{t('host.none')}</p>
            )}
            <p className={css.numbers}>
              {t('matrix.changedIn', {
                count: group.changed,
                number: numberText(group.changed),
                time: durationText(group.ms),
              })}
            </p>
            {group.block !== 'bad' || !first || !worst ? null : onRunOn ? (
              <RunOnHosts
                label={t('host.runOn', { count, number: numberText(count) })}
                limit={async () => limitOf(group.hosts.map(({ host }) => host))}
                onRun={onRunOn}
              />
            ) : (
              <Button onClick={() => onOpen(first.number, worst.step.step)}>{t('matrix.open')}</Button>
            )}
          </li>
        );
      })}
      {left > 0 ? <li>{t('matrix.more', { count: left, number: numberText(left) })}</li> : null}
    </ul>
  );
};
