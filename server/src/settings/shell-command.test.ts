import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';

const commandOf = (environment: Record<string, string>): string =>
  readConfig({ PATH: process.env.PATH ?? '', SIGNALBOX_DATA: '/srv/box', ...environment }).command;

describe('the command that the console and the first start show', () => {
  it('contains the full paths of the program and the data folder', () => {
    expect(commandOf({})).toMatch(/^SIGNALBOX_DATA=\/srv\/box \/\S+\/bin\/signalbox\.mjs$/);
  });

  it('quotes text that a shell would split', () => {
    expect(commandOf({ SIGNALBOX_DATA: "/srv/it's a box" })).toContain("SIGNALBOX_DATA='/srv/it'\\''s a box' ");
  });

  it('refers to secrets as variables and shows none', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const shown = commandOf({ DATABASE_URL: 'postgres://me:hush@db/box', SIGNALBOX_ENCRYPTION_KEY: key });
    expect(shown).toContain('DATABASE_URL="$DATABASE_URL" SIGNALBOX_ENCRYPTION_KEY="$SIGNALBOX_ENCRYPTION_KEY" ');
    expect(shown).not.toMatch(/hush|BwcH/);
  });

  it('contains the path of the file with the database password', () => {
    const name = 'SIGNALBOX_DATABASE_PASSWORD_FILE';
    const file = import.meta.filename;
    expect(commandOf({ DATABASE_URL: 'postgres://box@db/box', [name]: file })).toContain(` ${name}=${file} `);
  });

  it('contains the path of node when it is not on the PATH', () => {
    expect(commandOf({ PATH: '/nowhere' })).toContain(` ${process.execPath} /`);
  });

  it('is the one in the settings, if set, as for a container', () => {
    const command = 'docker compose exec server signalbox';
    expect(commandOf({ SIGNALBOX_COMMAND: command })).toBe(command);
    expect(() => commandOf({ SIGNALBOX_COMMAND: 'one\ntwo' })).toThrow('SIGNALBOX_COMMAND: must be one line');
  });
});
