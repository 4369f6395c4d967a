import { DEFAULT_APP, type InstalledApp, versionOf } from '@signalbox/contract';
import { makeOpenApi } from '@signalbox/contract/openapi';
import type { Capabilities } from '../../database/dialects/capabilities.ts';
import type { Handlers } from '../../http/call.ts';
import { VERSION } from '../../version.ts';

interface Needs {
  readonly capabilities: Capabilities;
  /** Path of the public address, which the description of the API names. */
  readonly pathPrefix: string;
  /** What alerts may be sent by. */
  readonly channels: { readonly email: boolean; readonly telegram: boolean };
  /** Time zone of schedules that name none. */
  readonly timezone: string;
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
  runners,
}: Needs): Pick<Handlers, 'ping' | 'systemInfo' | 'openApi'> => {
  // It is the same for everybody as long as the server runs.
  let description: string | undefined;
  return {
    ping: () => Promise.resolve({ stream: 'pong' }),

    systemInfo: () =>
      Promise.resolve({
        version: VERSION,
        apps: newestOf(runners().map(({ apps }) => apps)),
        ansible: versionOf(runners().at(-1)?.apps ?? [], DEFAULT_APP),
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
