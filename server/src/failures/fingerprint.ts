import { createHash } from 'node:crypto';
import type { CommonCause, HostRecord } from '@signalbox/contract';
import { causeOf } from './causes.ts';
import { type Form, formOf, keyOf } from './form.ts';
import { reasonText } from './reason-text.ts';

/** Version of the rules. Fingerprints are stored, so a change of a rule needs a new version. */
const RULES = 1;

const MAX_TITLE = 200;

export type FailedRecord = Pick<HostRecord, 'host' | 'message' | 'items' | 'cause'> & {
  readonly result: 'failed' | 'unreachable';
};

export interface FailedStep {
  readonly name: string;
  readonly action: string;
}

export interface Fingerprint {
  /** Equal for the same failure of the same step, on every host and in every task. */
  readonly id: string;
  readonly cause: CommonCause | null;
  /** The message on one line, without the command before it. */
  readonly title: string;
  readonly form: Form;
}

/** A module without its collection, because `apt` and `ansible.builtin.apt` are the same. */
const moduleOf = (action: string): string => action.slice(action.lastIndexOf('.') + 1);

/** Texts that identify steps. A step may fail on thousands of hosts, and its name may be long. */
const stepKeys = new WeakMap<FailedStep, readonly string[]>();

const keyOfStep = (step: FailedStep): readonly string[] => {
  const known = stepKeys.get(step);
  if (known) return known;
  const key = [moduleOf(step.action), keyOf(formOf(step.name, ''))];
  stepKeys.set(step, key);
  return key;
};

const digest = (parts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([RULES, ...parts]))
    .digest('hex')
    .slice(0, 32);

/** Package modules print their command first, as in `'/usr/bin/apt-get install x' failed: E: …`. */
const withoutCommand = (line: string): string => {
  if (!line.startsWith("'/")) return line;
  const end = line.indexOf("' failed: ");
  return end < 0 ? line : line.slice(end + "' failed: ".length);
};

const titleOf = (text: string): string => {
  const line = withoutCommand(text.split('\n', 1)[0] ?? '')
    .replaceAll(/\s/g, ' ')
    .trim();
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line;
};

/**
 * Identifies a failure. A failed step is identified by its module, its name and its cause, or else the form of its
 * message; an unreachable host only by the latter, because any step may be the first that does not reach it.
 */
export const fingerprintOf = (record: FailedRecord, step: FailedStep): Fingerprint => {
  const text = reasonText(record);
  const form = formOf(text, record.host);
  const cause = record.cause ?? causeOf(text, record.result) ?? null;
  const what = cause === null ? ['form', keyOf(form)] : ['cause', cause];
  const where = record.result === 'failed' ? keyOfStep(step) : [];
  return { id: digest([record.result, ...where, ...what]), cause, title: titleOf(text), form };
};

/** The fingerprint of the cluster of all failures beyond the first clusters of a task. */
export const OTHERS_ID = digest(['others']);
