import type { Task, TaskComparison } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../lang/locale.ts';
import table from '../../../ui/lists/table.module.css';
import { COMPARED_FIELD_LABELS } from '../../../ui/tasks/compared-fields.ts';
import css from './comparison.module.css';
import { ContentChange, FieldLabel, FieldValue, isContent } from './field-text.tsx';
import { earlierOf, laterOf } from './task-order.ts';
import { VersionLabel, VersionText } from './version-text.tsx';

interface ValuesProps {
  task: Task;
  other: Task;
  comparison: TaskComparison;
}

const Row = ({ name, earlier, later }: { name: ReactNode; earlier: ReactNode; later: ReactNode }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{earlier}</td>
    <td>{later}</td>
  </tr>
);

const Answer = ({ json }: { json: string | null }) => {
  const { t } = useTranslation();
  return json === null ? <span className="faint">{t('compare.unset')}</span> : <code>{json}</code>;
};

/** The fields and answers in which two tasks differ. */
export const ComparedValues = ({
  task,
  other,
  comparison: { changed, unknown, hosts, answers, versions },
}: ValuesProps) => {
  const { t } = useTranslation();
  const [earlier, later] = [earlierOf(task, other), laterOf(task, other)];
  const values = changed.filter((field) => !isContent(field));
  return (
    <section className={css.part} aria-label={t('compare.values')}>
      <h2>{t('compare.values')}</h2>
      {changed.length + answers.length + versions.length === 0 ? (
        <p className="muted">{t('compare.sameValues')}</p>
      ) : (
        <table className={`${table.table} ${css.values}`}>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr">{t('compare.field')}</span>
              </th>
              <th scope="col">#{earlier.id}</th>
              <th scope="col">#{later.id}</th>
            </tr>
          </thead>
          <tbody>
            {changed.filter(isContent).map((field) => (
              <tr key={field}>
                <th scope="row">
                  <FieldLabel task={task} field={field} />
                </th>
                <td colSpan={2} className={css.both}>
                  <ContentChange field={field} hosts={hosts} />
                </td>
              </tr>
            ))}
            {values.map((field) => (
              <Row
                key={field}
                name={<FieldLabel task={task} field={field} />}
                earlier={<FieldValue task={earlier} field={field} />}
                later={<FieldValue task={later} field={field} />}
              />
            ))}
            {versions.map((version) => (
              <Row
                key={`${version.what} ${version.name}`}
                name={<VersionLabel version={version} />}
                earlier={<VersionText text={version.earlier} />}
                later={<VersionText text={version.later} />}
              />
            ))}
            {answers.map((answer) => (
              <Row
                key={`answer ${answer.name}`}
                name={<code>{answer.name}</code>}
                earlier={<Answer json={answer.earlier} />}
                later={<Answer json={answer.later} />}
              />
            ))}
          </tbody>
        </table>
      )}
      {unknown.length === 0 ? null : (
        <p className="muted">
          {t('compare.unknownContent', {
            names: listText(unknown.filter(isContent).map((field) => t(COMPARED_FIELD_LABELS[field]))),
          })}
        </p>
      )}
    </section>
  );
};
