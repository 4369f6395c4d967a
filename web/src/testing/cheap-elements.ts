import * as React from 'react';

/**
 * React's development build records the stack of each new element, until a number of them is reached, and starts again each
 * second: a quarter of the time of a test that types into a large form. No test reads these stacks, so the number is always
 * above that limit.
 */
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
  string,
  object | undefined
>;
if (internals)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.MAX_SAFE_INTEGER,
    set: () => undefined,
  });
