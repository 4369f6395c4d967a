import { existsSync, readFileSync, renameSync } from 'node:fs';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import { SYSTEM } from '../../audit/record-event.ts';
import { type Database, LOCK } from '../../database/database.ts';
import { writeWholeText } from '../../files/whole-text.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { StartError } from '../../start-error.ts';

const NAME = 'runner';

const isKnown = async (database: Database, token: string): Promise<boolean> => {
  if (token === '') return false;
  const row = database.read.selectFrom('runner').select('id').where('token_hash', '=', hashToken(token));
  return (await row.executeTakeFirst()) !== undefined;
};

/**
 * Writes the token of a runner to a file unless the file contains a valid one, so that a runner that reads the file can
 * connect at the first start. A revoked token is replaced by the token of a new runner.
 * @throws StartError when the file cannot be read or written
 */
export const ensureRunnerToken = async (database: Database, file: string, now: Date): Promise<void> => {
  const token = newToken();
  try {
    if (existsSync(file) && (await isKnown(database, readFileSync(file, 'utf8').trim()))) return;
    writeWholeText(file, `${token}\n`, renameSync);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new StartError(
      `The file ${file} of SIGNALBOX_NEW_RUNNER_TOKEN_FILE cannot be written (${(error as Error).message}): let the user of the server write to its folder.`,
    );
  }
  await database.write(async (tx) => {
    const rows = await tx.selectFrom('runner').select('name').where('name', 'like', `${NAME}%`).execute();
    const taken = new Set(rows.map(({ name }) => name));
    let name = NAME;
    for (let number = 2; taken.has(name); number += 1) name = `${NAME}-${number}`;
    const { id } = await tx
      .insertInto('runner')
      .values({ name, token_hash: hashToken(token), slots: 0, created: now.toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordInstallationEvent(
      tx,
      'runner',
      { id, name },
      { kind: 'runner.created', params: { name } },
      SYSTEM,
      now,
    );
    // Another server may create a runner at the same time, which needs another name.
  }, LOCK.claim);
};
