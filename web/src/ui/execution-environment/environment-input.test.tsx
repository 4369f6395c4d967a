import type { ExecutionEnvironment } from '@signalbox/contract';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { EnvironmentInput } from './environment-input.tsx';

const Form = ({ initial, onValue }: { initial: ExecutionEnvironment | null; onValue: (value: unknown) => void }) => {
  const [value, setValue] = useState(initial);
  return (
    <EnvironmentInput
      value={value}
      onChange={(changed) => {
        setValue(changed);
        onValue(changed);
      }}
      inherited="That of the project"
      meaning="At the moment: Container."
      allowed={['system']}
      keys={[{ id: 7, name: 'Registry' }]}
      errors={{ 'execution_environment.requirements': 'is required' }}
    />
  );
};

const choose = (name: string) => {
  fireEvent.click(screen.getByRole('combobox', { name: 'Execution environment' }));
  fireEvent.click(screen.getByRole('option', { name, hidden: true }));
};

describe('the input of an execution environment', () => {
  it('shows what the choice of the project means, as long as it is chosen', async () => {
    await show(<Form initial={null} onValue={() => undefined} />);
    expect(screen.getByText(/At the moment: Container\.$/)).toBeTruthy();
    choose('Programs of the runner');
    expect(screen.queryByText(/At the moment/)).toBeNull();
  });

  it('has the fields of its kind and shows what the server refuses', async () => {
    let value: unknown;
    const initial = { kind: 'virtual', requirements: '', requirements_file: '' } as const;
    await show(<Form initial={initial} onValue={(changed) => (value = changed)} />);
    const requirements = screen.getByRole('textbox', { name: 'Python requirements' });
    fireEvent.change(requirements, { target: { value: 'ansible-core==2.19.1' } });
    expect(value).toEqual({ ...initial, requirements: 'ansible-core==2.19.1' });
    expect(screen.getByText('is required')).toBeTruthy();
    choose('Programs of the runner');
    expect(value).toEqual({ kind: 'system' });
    expect(screen.queryByRole('textbox', { name: 'Python requirements' })).toBeNull();
    choose('That of the project');
    expect(value).toBeNull();
  });

  it('offers a kind that is no longer allowed only while it is the stored one', async () => {
    await show(<Form initial={null} onValue={() => undefined} />);
    fireEvent.click(screen.getByRole('combobox', { name: 'Execution environment' }));
    expect(screen.queryByRole('option', { name: 'Python virtual environment', hidden: true })).toBeNull();
  });

  it('has the image of a container, its login and its limits', async () => {
    let value: unknown;
    const initial: ExecutionEnvironment = {
      kind: 'container',
      image: 'ansible',
      pull: 'missing',
      registry_key_id: null,
      network: 'none',
      memory_mb: 512,
      cpus: null,
      pids: null,
    };
    await show(<Form initial={initial} onValue={(changed) => (value = changed)} />);
    fireEvent.change(screen.getByRole('textbox', { name: 'Container image' }), { target: { value: 'ansible:2.19' } });
    expect(value).toEqual({ ...initial, image: 'ansible:2.19' });
    fireEvent.click(screen.getByRole('combobox', { name: 'Registry login' }));
    fireEvent.click(screen.getByRole('option', { name: 'Registry', hidden: true }));
    fireEvent.change(screen.getByRole('spinbutton', { name: 'Memory limit in MB' }), { target: { value: '' } });
    fireEvent.change(screen.getByRole('spinbutton', { name: 'CPU limit' }), { target: { value: '1.5' } });
    expect(value).toEqual({ ...initial, image: 'ansible:2.19', registry_key_id: 7, memory_mb: null, cpus: 1.5 });
  });
});
