import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { showToast } from '../../../ui/toast/toast-store.ts';

export interface RunOnHostsProps {
  label: string;
  variant?: 'primary' | undefined;
  small?: boolean;
  disabled?: boolean;
  /** Returns the limit; undefined when there are more hosts than a limit can contain. */
  limit: () => Promise<string | undefined>;
  onRun: (limit: string) => void;
}

/** Opens the new task dialog for some hosts. */
export const RunOnHosts = ({ label, variant, small, disabled = false, limit, onRun }: RunOnHostsProps) => {
  const { t } = useTranslation();
  const find = useMutation({
    mutationFn: limit,
    onSuccess: (found) => (found === undefined ? showToast('error', t('host.tooMany')) : onRun(found)),
    onError: (error) => showToast('error', errorText(error)),
  });
  return (
    <Button
      icon="again"
      variant={variant}
      small={small}
      disabled={disabled}
      busy={find.isPending}
      onClick={() => find.mutate()}
    >
      {label}
    </Button>
  );
};
