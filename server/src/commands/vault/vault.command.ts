import type { Command } from 'commander';

/** Adds `signalbox vault`, which manages the stored secrets and their keys. */
export const addVaultCommand = (program: Command): void => {
  const vault = program.command('vault').description('check stored secrets, change the encryption key');
  vault
    .command('check')
    .description('decrypt every stored secret and print the number per key; exits with 1 when one cannot be decrypted')
    .option('--json', 'print JSON for scripts')
    .action(async (options) => await (await import('./vault.actions.ts')).check(options));
  vault
    .command('rekey')
    .description('encrypt every stored secret again: with a new key, or with SIGNALBOX_ENCRYPTION_KEY if that is set')
    .option('--beside-servers', 're-encrypt while servers run; each of them must encrypt with the new key already')
    .action(async (options) => await (await import('./vault.actions.ts')).rekey(options));
};
