import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { FailureAssignment } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../dialogs/form-dialog.tsx';

interface AssignDialogProps {
  /** What failed. */
  which: string;
  /** Who may take care of it, the user first. */
  members: readonly { readonly id: number; readonly name: string }[];
  assignment: FailureAssignment | null;
  error: string | undefined;
  isBusy: boolean;
  onAssign: (assignment: { user_id: number; note: string }) => void;
  onClose: () => void;
}

/** Who takes care of a failure, with a note of one line. */
export const AssignDialog = ({ members, assignment, onAssign, ...dialog }: AssignDialogProps) => {
  const { t } = useTranslation();
  const [first] = members;
  const form = useForm({
    initialValues: { user: String(assignment?.user_id ?? first?.id ?? ''), note: assignment?.note ?? '' },
  });
  return (
    <FormDialog
      {...dialog}
      title={t('assignment.title')}
      isDirty={form.isDirty()}
      save={t('assignment.assign')}
      onSubmit={form.onSubmit(({ user, note }) => onAssign({ user_id: Number(user), note }))}
    >
      <Select
        label={t('assignment.who')}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('list.noMatch')}
        data={members.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('user')}
      />
      <TextInput
        label={t('cluster.note')}
        description={t('assignment.noteHelp')}
        maxLength={255}
        data-autofocus
        {...form.getInputProps('note')}
      />
    </FormDialog>
  );
};
