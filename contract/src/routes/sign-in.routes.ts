import { SignInBody, SignInOptions, SystemInfo } from '../entities/user.ts';
import { anyone, route, signedIn } from '../route.ts';

export const ping = route({
  method: 'GET',
  path: '/ping',
  permission: anyone,
  status: 200,
  answer: { stream: 'text/plain' },
  errors: ['unavailable'],
  doc: 'Returns `pong` while the server accepts requests.',
});

export const signInOptions = route({
  method: 'GET',
  path: '/auth/login',
  permission: anyone,
  status: 200,
  answer: SignInOptions,
  doc: 'The sign-in methods of this server.',
});

export const signIn = route({
  method: 'POST',
  path: '/auth/login',
  permission: anyone,
  body: SignInBody,
  status: 204,
  answer: 'nothing',
  errors: ['wrong_login', 'second_factor_needed', 'too_many', 'not_permitted', 'conflict', 'unavailable'],
  doc: 'Signs in with a password and sets the session cookie. With a second factor, the code has to be sent to `/auth/second-factor`.',
});

export const signOut = route({
  method: 'POST',
  path: '/auth/logout',
  permission: anyone,
  status: 204,
  answer: 'nothing',
  doc: 'Ends the session of the cookie, if there is one, and clears the cookie.',
});

export const systemInfo = route({
  method: 'GET',
  path: '/info',
  permission: signedIn,
  status: 200,
  answer: SystemInfo,
  doc: 'Version and state of this server.',
});

export const openApi = route({
  method: 'GET',
  path: '/openapi.json',
  permission: anyone,
  status: 200,
  answer: { stream: 'application/json' },
  doc: 'This API description, with the address at which the server was called.',
});
