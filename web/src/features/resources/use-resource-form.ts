import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { queryKey, type ResourceKind } from '../../api/keys.ts';
import { useSaving } from '../../api/use-saving.ts';
import { errorsOfTags } from '../../ui/forms/runner-tags-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';

export interface ResourceFormCalls<V> {
  project: number;
  kind: ResourceKind;
  initial: V;
  /** Catalogue keys of the errors, by field. */
  problems: (values: V) => Readonly<Record<string, string | undefined>>;
  /** Returns a new object, and nothing after a change. */
  send: (values: V) => Promise<{ readonly id: number } | undefined>;
  /** The message that is shown after saving. */
  savedText: (values: V) => string;
  onClose: () => void;
  onCreated: ((id: number) => void) | undefined;
}

/**
 * State of a resource form. It is validated when it is submitted, and again by the server, whose errors are shown at
 * the fields.
 */
export const useResourceForm = <V extends Record<string, unknown>>(calls: ResourceFormCalls<V>) => {
  const { project, kind, initial, problems, send, savedText, onClose, onCreated } = calls;
  const { t } = useTranslation();
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) =>
      Object.fromEntries(
        Object.entries(problems(values as V)).flatMap(([field, key]) => (key === undefined ? [] : [[field, t(key)]])),
      ) as never,
  });
  useTranslatedErrors(form);
  const saving = useSaving<V, { readonly id: number } | undefined>({
    send,
    stale: queryKey.resources(project, kind),
    onSaved: (values, created) => {
      showToast('ok', savedText(values));
      if (created) onCreated?.(created.id);
      onClose();
    },
    // The server names nested fields by their path; the form has its own names, and lists of tags have one error.
    onFields: (fields) =>
      form.setErrors(
        Object.fromEntries(
          Object.entries(errorsOfTags(fields, 'runner_tags')).map(([name, text]) => [name.split('.').at(-1), text]),
        ),
      ),
  });
  const submit = form.onSubmit((values) => saving.mutate(values as V));
  return {
    form,
    dialog: {
      error: saving.error ? errorText(saving.error) : undefined,
      isDirty: form.isDirty(),
      isBusy: saving.isPending,
      onSubmit: submit,
      onClose,
    },
  };
};
