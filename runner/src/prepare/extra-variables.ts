import type { Access, Order } from '@signalbox/contract/link';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Marks every text in a value as data, so that Ansible never reads a template expression in it. */
export const asData = (value: unknown): Json => {
  if (typeof value === 'string') return { __ansible_unsafe: value };
  if (Array.isArray(value)) return value.map(asData);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, asData(part)]));
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
};

const login = (access: Access | null, user: string, password: string): Record<string, Json> => {
  if (access?.type !== 'login_password') return {};
  return {
    ...(access.login === '' ? {} : { [user]: asData(access.login) }),
    ...(access.password === '' ? {} : { [password]: asData(access.password) }),
  };
};

/** The files of extra variables, in the order in which later ones win. */
export const extraVariableFiles = (order: Order): { name: string; text: string }[] => {
  const files: [string, unknown][] = [
    [
      'login.json',
      {
        ...login(order.inventory.access, 'ansible_user', 'ansible_password'),
        ...login(order.inventory.become, 'ansible_become_user', 'ansible_become_password'),
      },
    ],
    ['environment.json', order.extra_variables],
    ['secrets.json', asData(order.secret_variables)],
    ['answers.json', asData(order.answers)],
    ['semaphore_vars.json', { semaphore_vars: { task_details: asData(order.task_details) } }],
  ];
  return files
    .filter(([, value]) => Object.keys(value as object).length > 0)
    .map(([name, value], index) => ({ name: `${index + 1}-${name}`, text: JSON.stringify(value) }));
};
