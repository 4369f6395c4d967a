import type { SilentHosts } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { storeAlert } from './alert.store.ts';
import type { Channels } from './channels/channels.ts';

/**
 * Stores the alert about silent hosts of a running task, once for each step, also if several servers find them.
 * @returns whether it was stored now
 */
export const writeSilentAlert = (
  database: Database,
  channels: Channels,
  taskId: number,
  silent: SilentHosts,
  now: Date,
): Promise<boolean> =>
  database.write(async (tx) => {
    const task = await tx
      .selectFrom('task')
      .innerJoin('project', 'project.id', 'task.project_id')
      .select(['task.project_id', 'task.template_id', 'task.tpl_alias', 'task.tpl_type', 'task.tpl_playbook'])
      .where('task.id', '=', taskId)
      .where('task.status', '=', 'running')
      .where('project.alert_silent_hosts', '=', 1)
      .executeTakeFirst();
    if (!task) return false;
    // The first server that inserts the row stores the alert.
    const own = await tx
      .insertInto('silent_alert')
      .values({ task_id: taskId, step: silent.step })
      .onConflict((oc) => oc.columns(['task_id', 'step']).doNothing())
      .returning('step')
      .executeTakeFirst();
    if (!own) return false;
    const { project_id, template_id, tpl_alias: name, tpl_type: type, tpl_playbook: playbook } = task;
    await storeAlert(tx, channels, { project_id, template_id }, now.toISOString(), async (project) => ({
      task_id: taskId,
      input: { project, template: { id: template_id, name, type }, silent: { id: taskId, playbook, ...silent } },
    }));
    return true;
  });
