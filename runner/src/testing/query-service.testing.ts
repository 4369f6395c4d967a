import { Apps } from '../apps/apps.ts';
import { Environments } from '../environments/environments.ts';
import { QueryService } from '../queries/query-service.ts';
import type { RunnerContext } from '../workspace/runner-context.ts';

/** Answers queries like a runner that has no engine for containers. @param data the data folder of the runner */
export const queryServiceOf = (context: RunnerContext, data: string, base: Record<string, string>): QueryService => {
  const settings = { engine: 'none' as const, arguments: [], runArguments: [], networks: [], env: {} };
  const apps = new Apps({ data, env: base });
  const environments = new Environments({ settings, data, base });
  return new QueryService({ context, apps, environments }, 'query-test', () => undefined);
};
