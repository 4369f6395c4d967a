import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROVIDER = join(import.meta.dirname, '..', 'server', 'src', 'testing', 'identity-provider.child.ts');

/** How a provider answers. Omitted values are those of a correct provider. */
interface ProviderWay {
  /** Claims that replace those of every ID token. */
  readonly idToken?: Readonly<Record<string, unknown>>;
  /** Email addresses of the users of the provider, by login. */
  readonly emails?: Readonly<Record<string, string>>;
}

/** A real OpenID provider in its own process, which accepts every login. */
export interface OutsideProvider {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Changes how the provider answers. Resolves when the change is effective. */
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

/** Writes a settings file with the provider. @returns its path */
export const writeSettings = (folder: string, provider: OutsideProvider): string => {
  const corp = {
    ...{ display_name: 'Corp', color: '#123456', icon: 'globe', issuer: provider.issuer },
    ...{ client_id: provider.clientId, client_secret: provider.clientSecret, redirect_url: provider.redirectUri },
  };
  const file = join(folder, 'settings.yml');
  writeFileSync(file, JSON.stringify({ oidc_providers: { corp } }));
  return file;
};
