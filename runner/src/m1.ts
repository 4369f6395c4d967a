import { readFileSync } from 'node:fs';

const what = process.argv[2];
if (what === 'zod') await import('zod');
if (what === 'ws') await import('ws');
if (what === 'link') await import('@signalbox/contract/link');
if (what === 'contract') await import('@signalbox/contract');
if (what === 'runner') await import('./runner.ts');
const show = (w: string) =>
  console.log(
    what,
    w,
    (/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1] / 1024) | 0,
    JSON.stringify(process.memoryUsage()),
  );
show('now');
await new Promise((r) => setTimeout(r, 1500));
globalThis.gc?.();
show('later');
