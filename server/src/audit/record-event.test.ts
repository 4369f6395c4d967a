import { type EventMessage, roleMessage } from '@signalbox/contract';
import { expect, it } from 'vitest';

it('an event compiles only with exactly the parameters of its kind', () => {
  const events: EventMessage[] = [
    { kind: 'task.started', params: { id: 1, template: 'Web' } },
    { kind: 'team.role_changed', params: { user: 'ana', role: roleMessage('owner') } },
    // @ts-expect-error -- a kind that is not in the table
    { kind: 'task.begun', params: { id: 1, template: 'Web' } },
    // @ts-expect-error -- a parameter is missing
    { kind: 'task.started', params: { id: 1 } },
    // @ts-expect-error -- a parameter has another type
    { kind: 'task.started', params: { id: '1', template: 'Web' } },
    // @ts-expect-error -- a role is a message
    { kind: 'team.role_changed', params: { user: 'ana', role: 'Owner' } },
  ];
  expect(events).toHaveLength(6);
});
