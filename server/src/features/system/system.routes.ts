import type { Capabilities } from '../../database/dialects/capabilities.ts';
import type { Handlers } from '../../http/call.ts';
import { VERSION } from '../../version.ts';

interface Needs {
  readonly capabilities: Capabilities;
  readonly runners: () => readonly { readonly ansible: string }[];
}

export const systemRoutes = ({ capabilities, runners }: Needs): Pick<Handlers, 'ping' | 'systemInfo'> => ({
  ping: () => Promise.resolve({ stream: 'pong' }),

  systemInfo: () =>
    Promise.resolve({
      version: VERSION,
      ansible: runners().at(-1)?.ansible ?? '',
      database: capabilities.name,
      runners: runners().length,
    }),
});
