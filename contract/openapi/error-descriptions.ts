import type { ErrorKind } from '../src/errors.ts';

/** What each code means, and what whoever called can do about it. */
export const ERROR_DESCRIPTIONS: Readonly<Record<ErrorKind, string>> = {
  bad_input: 'a value breaks a rule; `fields` names each one at fault',
  bad_json: 'the body is not JSON, is nested too deep, or has too many values',
  wrong_content_type: 'the body is not sent as `application/json`',
  wrong_origin: 'a browser sends it from a page of another site',
  not_signed_in: 'no valid session or token came with it',
  wrong_login: 'the name or the password is wrong',
  second_factor_needed: 'the password is right, and a code is needed as well: send it to `/auth/second-factor`',
  wrong_code: 'the code is wrong or was already used',
  second_factor_due: 'this server requires a second factor, which the caller has to set up first',
  not_permitted: 'the right for it is missing',
  not_found: 'it does not exist, or the caller may not know of it',
  conflict: 'it does not fit what is there now; read it again',
  in_use: 'others use it, so it cannot be deleted',
  too_large: 'the body is larger than this call takes',
  too_slow: 'the request did not arrive in time',
  headers_too_large: 'the address and the headers are too long, or there are too many headers',
  too_many: 'too many attempts; try again after the seconds of `Retry-After`',
  unavailable: 'the server or its database is not ready; try again after the seconds of `Retry-After`',
  internal: 'a fault of ours; the log of the server has `request_id`',
};
