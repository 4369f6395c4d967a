import type { Command } from 'commander';

/** `signalbox backup` and `signalbox restore`. */
export const addBackupCommand = (program: Command): void => {
  program
    .command('backup')
    .description('write everything that is stored to one file, while servers and tasks run')
    .option('--output <file>', 'the file to write; else one named after the time, in this folder')
    .option('--force', 'replace the file when it is there')
    .option('--with-key', 'put the encryption key into the file too, sealed by a passphrase')
    .option('--with-tokens', 'include API tokens; a restore also restores tokens that were revoked after the backup')
    .option('--passphrase <passphrase>', 'the passphrase; other users of this machine can see it meanwhile')
    .option('--passphrase-stdin', 'read the passphrase from standard input instead')
    .option('--json', 'answer JSON for scripts')
    .action(async (options) => await (await import('./backup.actions.ts')).backup(options));
  program
    .command('restore')
    .description('put a backup into an empty data folder or database')
    .argument('<file>', 'the file that backup wrote')
    .option('--force', 'replace what is stored there')
    .option('--keep-schedules', 'keep active schedules active instead of pausing them')
    .option('--passphrase <passphrase>', 'opens the key in the file; other users of this machine can see it meanwhile')
    .option('--passphrase-stdin', 'read the passphrase from standard input instead')
    .action(async (file, options) => await (await import('./restore.actions.ts')).restore(file, options));
};
