import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROVIDER = join(import.meta.dirname, '..', 'server', 'src', 'testing', 'identity-provider.child.ts');

/** A real OpenID provider in a process of its own, at which everybody may sign in. */
export interface OutsideProvider {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly clientSecret: string;
  close(): Promise<void>;
}

export const startProvider = async (redirectUri: string): Promise<OutsideProvider> => {
  const child = spawn(process.execPath, [PROVIDER, redirectUri], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const facts = JSON.parse(line) as { issuer: string; clientId: string; clientSecret: string };
  return {
    ...facts,
    redirectUri,
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
