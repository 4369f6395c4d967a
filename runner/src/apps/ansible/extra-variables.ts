import type { Access } from '@signalbox/contract/link';
import type { AnsibleJob } from './ansible-job.ts';

/** A text in double quotes with ASCII characters only, because YAML accepts fewer characters unescaped than JSON. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** YAML has no surrogate pairs: a character outside the first plane is written as one number. */
const scalar = (text: string): string =>
  quoted(text).replace(/\\u(d[89ab]..)\\u(d[c-f]..)/gi, (pair) => {
    const point = (JSON.parse(`"${pair}"`) as string).codePointAt(0) ?? 0;
    return `\\U${point.toString(16).padStart(8, '0')}`;
  });

/** The YAML of Ansible reads `1e+21` as text. */
const numeral = (value: number): string => String(value).replace(/^(-?\d+)e/, '$1.0e');

/**
 * A value in the YAML of Ansible, with each text tagged as data, so that Ansible evaluates no template expression in it. JSON has
 * tags too, but a key of the value itself, such as `__ansible_vault`, could be read as one.
 */
export const asData = (value: unknown): string => {
  if (typeof value === 'string') return `!unsafe ${scalar(value)}`;
  if (Array.isArray(value)) return `[${value.map(asData).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return mapping(Object.entries(value).map(([name, part]) => [name, asData(part)]));
  if (typeof value === 'number' && Number.isFinite(value)) return numeral(value);
  return typeof value === 'boolean' ? String(value) : 'null';
};

/** With the prefix `?`, a key may have any length. */
const mapping = (entries: readonly (readonly [name: string, value: string])[]): string =>
  `{${entries.map(([name, value]) => `? ${scalar(name)} : ${value}`).join(', ')}}`;

const login = (access: Access | null, user: string, password: string): Record<string, string> => {
  if (access?.type !== 'login_password') return {};
  return {
    ...(access.login === '' ? {} : { [user]: access.login }),
    ...(access.password === '' ? {} : { [password]: access.password }),
  };
};

/** The files of extra variables; later files take precedence. Only the values of editors may contain template expressions. */
export const extraVariableFiles = (job: AnsibleJob): { name: string; text: string }[] => {
  const connection = {
    ...login(job.inventory.access, 'ansible_user', 'ansible_password'),
    ...login(job.inventory.become, 'ansible_become_user', 'ansible_become_password'),
  };
  const files: [name: string, value: object, write: (value: unknown) => string][] = [
    ['login.yml', connection, asData],
    ['environment.json', job.extra_variables, JSON.stringify],
    ['secrets.yml', job.secret_variables, asData],
    ['answers.yml', job.answers, asData],
    ['semaphore_vars.yml', { semaphore_vars: { task_details: job.task_details } }, asData],
  ];
  return files
    .filter(([, value]) => Object.keys(value).length > 0)
    .map(([name, value, write], index) => ({ name: `${index + 1}-${name}`, text: write(value) }));
};
