import type { Capabilities } from '../../database/dialects/capabilities.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { VERSION } from '../../version.ts';

interface Needs {
  readonly capabilities: Capabilities;
  readonly runners: () => readonly { readonly ansible: string }[];
  readonly isStopping: () => boolean;
}

export const systemRoutes = ({ capabilities, runners, isStopping }: Needs): Pick<Handlers, 'ping' | 'systemInfo'> => ({
  ping: () => {
    if (isStopping()) throw new ApiError('unavailable', 'The server is stopping.');
    return Promise.resolve({ stream: 'pong' });
  },

  systemInfo: () =>
    Promise.resolve({
      version: VERSION,
      ansible: runners().at(-1)?.ansible ?? '',
      database: capabilities.name,
      runners: runners().length,
    }),
});
