import type { RouteName } from '@signalbox/contract';
import { type MakeRequest, made, type RequestDeps } from './request.ts';

const pendingTask = async ({ admin, sample }: RequestDeps) => ({
  params: {
    task_id: await made(admin, `${sample.base}/tasks`, { template_id: await sample.template({ approval: 'anyone' }) }),
  },
});

/** Valid requests for the calls about tasks that wait for an approval. */
export const APPROVAL_REQUESTS = {
  approveTask: async (deps) => ({ ...(await pendingTask(deps)), body: {} }),
  rejectTask: async (deps) => ({ ...(await pendingTask(deps)), body: { comment: 'Not today' } }),
} as const satisfies Partial<Record<RouteName, MakeRequest>>;
