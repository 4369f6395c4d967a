import '@signalbox/contract/testing/print-app';
import { APP_FACTORIES } from '../../apps/table.ts';
import { makePrint } from './print.ts';

// Started with `node --import`, this adds the app to the tables before the program reads them.
Object.assign(APP_FACTORIES, { print: makePrint });
