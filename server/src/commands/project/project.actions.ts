import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SYSTEM } from '../../audit/record-event.ts';
import type { Config } from '../../config.ts';
import { LOCK, type StateReader } from '../../database/database.ts';
import { presentProject } from '../../features/projects/project.store.ts';
import { writeWholeFile } from '../../files/whole-file.ts';
import { FIELD_CHECKS } from '../../http/errors/field-message.ts';
import { loadMasterKey } from '../../secrets/master-key.ts';
import { decryptBox, encryptInBox } from '../../secrets/passphrase-box.ts';
import { StartError } from '../../start-error.ts';
import { firstError } from '../../transfer/first-error.ts';
import { exportProject } from '../../transfer/project-export.ts';
import { ProjectFile, ProjectSecrets, SECRETS_PURPOSE } from '../../transfer/project-file.ts';
import { ProjectImport } from '../../transfer/project-import.ts';
import { fromSemaphore, SemaphoreFile } from '../../transfer/semaphore-file.ts';
import type { PassphraseOptions } from '../backup/backup.actions.ts';
import { note, print, printJson, readSecret } from '../terminal.ts';
import { findUser } from '../user/find-user.ts';
import { withState } from '../with-state.ts';
import { findProject } from './find-project.ts';

const keysOf = (config: Config) => loadMasterKey(config.encryptionKey, config.dataFolder, config.otherEncryptionKeys);

export const listProjects = ({ json }: { readonly json?: boolean }): Promise<void> =>
  withState(async ({ read }) => {
    const projects = (await read.selectFrom('project').selectAll().orderBy('id').execute()).map(presentProject);
    if (json) printJson(projects);
    else for (const { id, name } of projects) print(`${id}\t${name}`);
  });

export const exportOne = async (
  name: string,
  options: PassphraseOptions & { readonly output?: string; readonly withSecrets?: boolean },
): Promise<void> => {
  const passphrase = await readSecret('passphrase', options.passphrase, options.passphraseStdin);
  if (options.withSecrets !== (passphrase !== undefined || undefined))
    throw new StartError(
      '--with-secrets needs a passphrase (--passphrase-stdin or --passphrase), and a passphrase needs --with-secrets.',
    );
  await withState(async (database, config) => {
    const { file, secrets } = await database.autocommit.transaction().execute(async (tx) => {
      const project = await findProject(tx, name);
      return await exportProject(tx, project, passphrase === undefined ? undefined : keysOf(config));
    });
    const box =
      passphrase === undefined || !secrets
        ? null
        : await encryptInBox(passphrase, SECRETS_PURPOSE, JSON.stringify(secrets));
    const text = `${JSON.stringify({ ...file, secrets: box }, null, 2)}\n`;
    if (options.output === undefined) return void process.stdout.write(text);
    const how = { mayReplace: false, advice: 'name another file' };
    await writeWholeFile(options.output, how, (output) => pipeline(Readable.from([text]), output));
    print(
      `Project ${file.project.name} was written to ${options.output}, ${box ? 'with encrypted secrets' : 'without secrets'}.`,
    );
  });
};

const readText = (file: string): unknown => {
  try {
    // Windows editors write a byte order mark at the start of a file.
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    const isText = error instanceof SyntaxError;
    throw new StartError(
      isText ? `${file} is not valid JSON.` : `${file} cannot be read (${(error as Error).message}).`,
    );
  }
};

const readProject = (file: string, onNote: (message: string) => void): ProjectFile => {
  const content = readText(file);
  const own = ProjectFile.safeParse(content, FIELD_CHECKS);
  if (own.success) return own.data;
  const theirs = SemaphoreFile.safeParse(content, FIELD_CHECKS);
  if (theirs.success) return fromSemaphore(theirs.data, onNote);
  const isOurs = typeof content === 'object' && content !== null && 'signalbox_project' in content;
  throw new StartError(`${file} is not a project file: ${firstError(isOurs ? own.error : theirs.error)}.`);
};

const secretsOf = async (file: ProjectFile, passphrase: string | undefined): Promise<ProjectSecrets | undefined> => {
  if (passphrase === undefined) return undefined;
  if (file.secrets === null) throw new StartError('This file contains no secrets, so it needs no passphrase.');
  const text = await decryptBox(passphrase, SECRETS_PURPOSE, file.secrets);
  if (text === undefined) throw new StartError('The passphrase of the secrets in this file is wrong.');
  return ProjectSecrets.parse(JSON.parse(text));
};

const ownerOf = async (
  db: StateReader,
  login: string | undefined,
): Promise<{ readonly id: number; readonly username: string }> => {
  if (login !== undefined) return await findUser(db, { login });
  const admin = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('admin', '=', 1)
    .orderBy('id')
    .executeTakeFirst();
  if (!admin) throw new StartError('There is no system administrator to own the project. Name a user with --owner.');
  return admin;
};

export const importOne = async (
  path: string,
  options: PassphraseOptions & { readonly name?: string; readonly owner?: string; readonly json?: boolean },
): Promise<void> => {
  const passphrase = await readSecret('passphrase', options.passphrase, options.passphraseStdin);
  const notes: string[] = [];
  const read = readProject(path, (message) => notes.push(message));
  const file = options.name === undefined ? read : { ...read, project: { ...read.project, name: options.name } };
  const secrets = await secretsOf(file, passphrase);
  await withState(async (database, config) => {
    const master = keysOf(config);
    const made = await database.write(async (tx) => {
      const owner = await ownerOf(tx, options.owner);
      const more: string[] = [];
      const deps = {
        tx,
        master,
        timezone: config.timezone,
        ownerId: owner.id,
        actor: SYSTEM,
        now: new Date(),
        onNote: (message: string) => more.push(message),
      };
      const id = await new ProjectImport(deps).run(file, secrets);
      return { id, owner: owner.username, notes: more };
    }, LOCK.users);
    const all = [...notes, ...made.notes];
    if (options.json) return printJson({ id: made.id, name: file.project.name, owner: made.owner, notes: all });
    for (const message of all) note(message);
    print(`Project ${file.project.name} was created with id ${made.id}; its owner is ${made.owner}.`);
  });
};
