import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_PREDECESSORS } from '@signalbox/contract/link';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { nameProcess } from './process-identity.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

describe('the identity of a runner process', () => {
  it('names the earlier processes of its data folder, the newest first, and not too many', async () => {
    const names: string[] = [];
    for (let start = 0; start < MAX_PREDECESSORS + 3; start += 1) {
      const { process, predecessors } = await nameProcess(folder);
      expect(predecessors).toEqual(names.slice(0, MAX_PREDECESSORS));
      names.unshift(process);
    }
    expect(new Set(names).size).toBe(names.length);
  });

  it('is new where the file cannot be read', async () => {
    writeFileSync(join(folder, 'processes.json'), '["half');
    expect((await nameProcess(folder)).predecessors).toEqual([]);
    expect((await nameProcess(folder)).predecessors).toHaveLength(1);
  });
});
