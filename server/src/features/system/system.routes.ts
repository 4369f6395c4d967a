import { DEFAULT_APP, type InstalledApp, versionOf } from '@signalbox/contract';
import { makeOpenApi } from '@signalbox/contract/openapi';
import type { Capabilities } from '../../database/dialects/capabilities.ts';
import type { EnvironmentRules } from '../../execution-environments.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { VERSION } from '../../version.ts';

interface Deps {
  readonly capabilities: Capabilities;
  /** Path of the public address, for the OpenAPI document. */
  readonly pathPrefix: string;
  /** Configured channels for alerts. */
  readonly channels: { readonly email: boolean; readonly telegram: boolean };
  /** Time zone of schedules without a time zone of their own. */
  readonly timezone: string;
  readonly environments: EnvironmentRules;
  readonly runners: () => readonly { readonly apps: readonly InstalledApp[]; readonly runAs: string | null }[];
}

/** Every app once, as the runner that connected last has it. */
const newestOf = (apps: readonly (readonly InstalledApp[])[]): InstalledApp[] => [
  ...new Map(apps.flat().map((app) => [app.name, app])).values(),
];

export const systemRoutes = ({
  capabilities,
  pathPrefix,
  channels,
  timezone,
  environments,
  runners,
}: Deps): Pick<Handlers, 'ping' | 'systemInfo' | 'openApi'> => {
  // Cached, because it does not change while the server runs.
  let description: string | undefined;
  return {
    ping: () => Promise.resolve({ stream: 'pong' }),

    systemInfo: () =>
      Promise.resolve({
        version: VERSION,
        apps: newestOf(runners().map(({ apps }) => apps)),
        ansible: versionOf(runners().at(-1)?.apps ?? [], DEFAULT_APP),
        execution_environments: [...environments.allowed],
        default_execution_environment: environments.default,
        database: capabilities.name,
        runners: runners().length,
        schedule_timezone: timezone,
        separated: runners().length === 0 ? null : runners().every(({ runAs }) => runAs !== null),
        alert_channels: (['email', 'telegram'] as const).filter((channel) => channels[channel]),
      }),

    openApi: () => {
      description ??= JSON.stringify(makeOpenApi({ version: VERSION, pathPrefix }));
      return Promise.resolve({ stream: description });
    },
  };
};
