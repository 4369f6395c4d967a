import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROVIDER = join(import.meta.dirname, '..', 'server', 'src', 'testing', 'identity-provider.child.ts');

/** How a provider answers; what is left out is as a good provider does it. */
interface ProviderWay {
  /** Claims that every ID token has instead of its own. */
  readonly idToken?: Readonly<Record<string, unknown>>;
  /** Email addresses of people by their logins. */
  readonly emails?: Readonly<Record<string, string>>;
}

/** A real OpenID provider in a process of its own, at which everybody may sign in. */
export interface OutsideProvider {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** From now on it answers in another way; resolves once it does. */
  lead(way: ProviderWay): Promise<void>;
  close(): Promise<void>;
}

export const startProvider = async (redirectUri: string): Promise<OutsideProvider> => {
  const child = spawn(process.execPath, [PROVIDER, redirectUri], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  if (!child.stdout) throw new Error('The provider has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const values = JSON.parse(line) as { issuer: string; clientId: string; clientSecret: string };
  return {
    ...values,
    redirectUri,
    lead: async (way) => {
      const received = once(child, 'message');
      child.send(way);
      await received;
    },
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Writes the file of settings that names the provider; answers its path. */
export const writeSettings = (folder: string, provider: OutsideProvider): string => {
  const corp = {
    ...{ display_name: 'Corp', color: '#123456', icon: 'globe', issuer: provider.issuer },
    ...{ client_id: provider.clientId, client_secret: provider.clientSecret, redirect_url: provider.redirectUri },
  };
  const file = join(folder, 'settings.yml');
  writeFileSync(file, JSON.stringify({ oidc_providers: { corp } }));
  return file;
};
