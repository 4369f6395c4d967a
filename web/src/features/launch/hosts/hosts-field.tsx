import { Input } from '@mantine/core';
import type { HostsFieldProps } from '../../../ui/forms/launch-form.ts';
import { useOptional } from '../../../ui/forms/use-optional.ts';
import { HostPicker } from './host-picker.tsx';
import { useHosts } from './use-hosts.ts';

/** An optional host pattern of another form, which is chosen from the hosts of an inventory. */
export const HostsField = ({ label, template, inventory, value, error, onChange }: HostsFieldProps) => {
  const optional = useOptional();
  const own = template.inventory_id === null ? null : String(template.inventory_id);
  const hosts = useHosts(template, { inventory_id: inventory ?? own, limit: value }, true);
  return (
    <Input.Wrapper labelElement="div" label={label} {...optional}>
      <HostPicker
        label={label}
        hosts={hosts}
        value={value}
        version={undefined}
        error={error}
        hasPresets={false}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
};
