import type { MeasuredProduct } from './measured-product.ts';

/** Number of templates, and of schedules: one for each template, once a week. */
export const OBJECTS = 1_000;
export const LABELS = 200;
const LABELS_OF_TEMPLATE = 3;
export const HOSTS = 10_000;
export const GROUPS = 100;

export const hostName = (number: number): string => `web-${String(number).padStart(5, '0')}.example.com`;
export const groupName = (number: number): string => `group_${String(number).padStart(2, '0')}`;

const inventoryText = (): string =>
  Array.from({ length: GROUPS }, (_, group) =>
    [
      `[${groupName(group)}]`,
      ...Array.from({ length: HOSTS / GROUPS }, (_, n) => hostName(group * (HOSTS / GROUPS) + n)),
    ].join('\n'),
  ).join('\n');

export const templateName = (number: number): string => `Template ${number}`;
export const scheduleName = (number: number): string => `Schedule ${number}`;

/** Fills a project, and returns the template whose new task dialog has a host picker with all hosts. */
export const fillProject = async ({ client, project }: MeasuredProduct): Promise<number> => {
  const { params } = project;
  const labels: number[] = [];
  for (let n = 0; n < LABELS; n += 1)
    labels.push((await client.call('createLabel', { params, body: { name: `Label ${n}`, colour: 'teal' } })).id);
  for (let n = 0; n < OBJECTS; n += 1) {
    const first = n % (LABELS - LABELS_OF_TEMPLATE);
    const template_id = await project.template('site.yml', {
      name: templateName(n),
      labels: labels.slice(first, first + LABELS_OF_TEMPLATE),
    });
    const cron_format = `${n % 60} ${n % 24} * * ${n % 7}`;
    await client.call('createSchedule', { params, body: { template_id, name: scheduleName(n), cron_format } });
  }
  const [key] = await client.call('listKeys', { params });
  const inventory = await client.call('createInventory', {
    params,
    body: { name: 'Many hosts', type: 'static', inventory: inventoryText(), ssh_key_id: key?.id ?? 0 },
  });
  return project.template('site.yml', { name: 'On many hosts', inventory_id: inventory.id });
};
