import type { ErrorKind } from '../src/errors.ts';

/** The meaning of each code, and what the caller can do. */
export const ERROR_DESCRIPTIONS: Readonly<Record<ErrorKind, string>> = {
  bad_input: 'a value is not valid; `fields` contains the message for each field',
  bad_json: 'the body is not JSON, is nested too deep, or has too many values',
  wrong_content_type: 'the body is not sent as `application/json`',
  wrong_origin: 'a browser sent the request from a page of another site',
  not_signed_in: 'the request has no valid session or token',
  wrong_login: 'the name or the password is wrong',
  second_factor_needed: 'the password is correct and a code is required: send it to `/auth/second-factor`',
  wrong_code: 'the code is wrong or was already used',
  second_factor_due: 'this server requires a second factor, which the caller has to set up first',
  not_permitted: 'the caller does not have the required permission',
  not_found: 'the object does not exist, or the caller has no access to it',
  conflict: 'the request conflicts with the current state; read the object again',
  in_use: "other objects use it, so it can't be deleted",
  too_large: 'the body is larger than the limit of this call',
  too_slow: 'the request did not arrive in time',
  headers_too_large: 'the address and the headers are too long, or there are too many headers',
  too_many: 'too many attempts; try again after the seconds of `Retry-After`',
  unavailable: 'the server or its database is not ready; try again after the seconds of `Retry-After`',
  internal: 'an internal error; the log of the server has details under `request_id`',
};
