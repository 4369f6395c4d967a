import type { AppName } from '@signalbox/contract';
import type { JobOf } from '@signalbox/contract/link';
import { makeAnsible } from './ansible/ansible.ts';
import type { AppFactory } from './app.ts';

/** Every app of the contract's table. */
export const APP_FACTORIES: { readonly [Name in AppName]: AppFactory<JobOf<Name>> } = { ansible: makeAnsible };
