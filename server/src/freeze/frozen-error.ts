import { ApiError } from '../http/errors/api-error.ts';
import type { Freeze } from './freeze.ts';

/** A task was refused because of a freeze window. */
export class FrozenError extends ApiError {
  readonly freeze: Freeze;

  constructor(code: `${'conflict' | 'not_permitted'}.frozen` | 'conflict.frozen_automatic', freeze: Freeze) {
    const { window, until } = freeze;
    super(code, { window: window.name, why: window.reason, until: until.toISOString() });
    this.freeze = freeze;
  }
}
