import type { FailureAssignment as Assignment, Failure } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { teamQuery, userQuery } from '../../api/queries.ts';
import { useAssignment } from '../../api/use-assignment.ts';
import { Button } from '../../ui/basics/button.tsx';
import { AssignDialog } from '../../ui/tasks/assign-dialog.tsx';
import { failureText } from '../../ui/tasks/failure-text.ts';

interface FailureAssignmentProps {
  project: number;
  failure: number;
  /** What failed. */
  described: Pick<Failure, 'cause' | 'title' | 'result'>;
  assignment: Assignment | null;
}

/** The button that opens the dialog for who takes care of a failure, or that ends the assignment. */
export const FailureAssignment = ({ project, failure, described, assignment }: FailureAssignmentProps) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: user } = useQuery(userQuery());
  const { data: team = [] } = useQuery({ ...teamQuery(project), enabled: isOpen });
  const close = () => setOpen(false);
  const saving = useAssignment(project, failure, close);
  const others = team.filter(({ id }) => id !== user?.id);
  const error = saving.error && isOpen ? errorText(saving.error) : undefined;
  return (
    <>
      {assignment === null ? (
        <Button small onClick={() => setOpen(true)}>
          {t('assignment.assign')}
        </Button>
      ) : (
        <Button small variant="quiet" busy={saving.isPending} onClick={() => saving.mutate(null)}>
          {t('assignment.unassign')}
        </Button>
      )}
      {isOpen && user ? (
        <AssignDialog
          which={failureText(t, described)}
          members={[user, ...others].map(({ id, name }) => ({ id, name }))}
          assignment={assignment}
          error={error}
          isBusy={saving.isPending}
          onAssign={(body) => saving.mutate(body)}
          onClose={close}
        />
      ) : null}
    </>
  );
};
