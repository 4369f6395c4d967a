import type { FailureAssignment } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../basics/avatars.tsx';
import { Ago } from '../time/times.tsx';
import css from './assignment-line.module.css';

const KEYS = {
  taken: { alone: 'assignment.by', noted: 'assignment.byNote' },
  given: { alone: 'assignment.given', noted: 'assignment.givenNote' },
} as const;

/** Who takes care of a failure, since when, and what is done about it. */
export const AssignmentLine = ({ assignment }: { assignment: FailureAssignment }) => {
  const { t } = useTranslation();
  const { name, by, since, note } = assignment;
  const keys = name === by ? KEYS.taken : KEYS.given;
  const text = t(note === '' ? keys.alone : keys.noted, { name, by, note });
  return (
    <span className={css.line}>
      <PersonAvatar name={name} />
      <span className={css.text} title={text}>
        {text}
      </span>
      <Ago at={since} />
    </span>
  );
};
