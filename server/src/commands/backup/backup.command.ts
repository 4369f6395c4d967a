import type { Command } from 'commander';

/** Adds `signalbox backup` and `signalbox restore`. */
export const addBackupCommand = (program: Command): void => {
  program
    .command('backup')
    .description('write all data to one file, while servers and tasks run')
    .option('--output <file>', 'output file; default: a name with the time, in this folder')
    .option('--force', 'overwrite an existing file')
    .option('--with-key', 'include the encryption key, protected by a passphrase')
    .option('--with-tokens', 'include API tokens; a restore also restores tokens that were revoked after the backup')
    .option('--with-moved-logs', 'include logs that were moved to the log store, so that a restore needs no log store')
    .option('--skip-missing-logs', 'succeed although objects of moved logs are missing')
    .option(
      '--passphrase <passphrase>',
      'the passphrase; other users of this machine can see it while the command runs',
    )
    .option('--passphrase-stdin', 'read the passphrase from standard input')
    .option('--json', 'print JSON for scripts')
    .action(async (options) => await (await import('./backup.actions.ts')).backup(options));
  program
    .command('restore')
    .description('restore a backup into an empty data folder or database')
    .argument('<file>', 'backup file')
    .option('--force', 'overwrite existing data')
    .option('--keep-schedules', 'keep active schedules active instead of pausing them')
    .option(
      '--passphrase <passphrase>',
      'passphrase of the key in the file; other users of this machine can see it while the command runs',
    )
    .option('--passphrase-stdin', 'read the passphrase from standard input')
    .action(async (file, options) => await (await import('./restore.actions.ts')).restore(file, options));
};
