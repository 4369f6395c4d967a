import { z } from 'zod';
import type { AppDefinition } from '../apps/app.ts';
import { APPS } from '../apps/table.ts';
import type { CommonJob } from '../link/job.ts';

/** An app for tests: it prints a file of the repository. It shows all that a new app needs. */
const print: AppDefinition = {
  title: 'Print',
  features: {
    inventory: false,
    limit: false,
    checkMode: false,
    diff: false,
    vault: false,
    arguments: false,
    hostResults: false,
    plan: false,
  },
  job: { playbook: z.string() },
  argumentForEditors: (args) => args[0],
  optionsSetBy: () => new Set(),
  endedByHosts: () => false,
};

/** The job of this app. */
export type PrintJob = CommonJob & { readonly app: 'print'; readonly playbook: string };

// Import this module before any other module of the contract: schemas read the table when they are made.
Object.assign(APPS, { print });
