import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_PREDECESSORS } from '@signalbox/contract/link';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { nameProcess, onWelcome } from './process-identity.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

describe('the identity of a runner process', () => {
  it('names the process that connected last, however many were started since', async () => {
    const welcomed = await nameProcess(folder);
    await onWelcome(folder, welcomed);
    for (let start = 0; start < MAX_PREDECESSORS + 3; start += 1) await nameProcess(folder);
    const { process, predecessors } = await nameProcess(folder);
    expect(predecessors.at(-1)).toBe(welcomed.process);
    expect(predecessors).toHaveLength(MAX_PREDECESSORS);
    expect(predecessors).not.toContain(process);
  });

  it('names each process that was started since, the newest first', async () => {
    const first = await nameProcess(folder);
    const second = await nameProcess(folder);
    expect((await nameProcess(folder)).predecessors).toEqual([second.process, first.process]);
  });

  it('is that of the previous process if the file cannot be written', async () => {
    const before = await nameProcess(folder);
    const written = readFileSync(join(folder, 'processes.json'), 'utf8');
    // A folder with the name of the new file.
    mkdirSync(join(folder, 'processes.json.new', 'x'), { recursive: true });
    expect((await nameProcess(folder)).process).toBe(before.process);
    expect(readFileSync(join(folder, 'processes.json'), 'utf8')).toBe(written);
  });

  it('is new if the file cannot be read', async () => {
    writeFileSync(join(folder, 'processes.json'), '["half');
    expect((await nameProcess(folder)).predecessors).toEqual([]);
    expect((await nameProcess(folder)).predecessors).toHaveLength(1);
  });
});
