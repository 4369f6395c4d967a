import type { BodyInput, RouteTable, User } from '@signalbox/contract';

/** Values of the form. */
export type UserValues = {
  name: string;
  username: string;
  email: string;
  password: string;
  /** The user's own password, which a new email address of their own account requires. */
  current_password: string;
  admin: boolean;
  alert: boolean;
  can_create_project: boolean;
  /** Whether the new user is a service account. */
  service: boolean;
  /** Whether an administrator confirms the email address of the user. */
  email_proven: boolean;
};

/** Minimum length of a new password, in characters. */
export const MIN_PASSWORD = 8;

export const newUserValues = (user: User | undefined): UserValues => ({
  name: user?.name ?? '',
  username: user?.username ?? '',
  email: user?.email ?? '',
  password: '',
  current_password: '',
  admin: user?.admin ?? false,
  alert: user?.alert ?? false,
  can_create_project: user?.can_create_project ?? false,
  service: user?.service ?? false,
  email_proven: false,
});

const newPasswordProblem = (password: string): string | undefined => {
  if (password === '') return 'users.passwordRequired';
  return [...password].length < MIN_PASSWORD ? 'users.passwordShort' : undefined;
};

/** Catalogue keys of the errors, by field. */
export const userProblems = (
  values: UserValues,
  { isNew, asksCurrent }: { isNew: boolean; asksCurrent: boolean },
): Record<string, string | undefined> => ({
  name: values.name.trim() === '' ? 'form.nameRequired' : undefined,
  username: values.username.trim() === '' ? 'users.usernameRequired' : undefined,
  email: values.email.trim() === '' && !values.service ? 'users.emailRequired' : undefined,
  password: isNew && !values.service ? newPasswordProblem(values.password) : undefined,
  current_password: asksCurrent && values.current_password === '' ? 'signIn.passwordRequired' : undefined,
});

type UserBody = BodyInput<RouteTable['createUser']> & BodyInput<RouteTable['updateUser']>;

/** The body of the request. It contains only fields that the signed-in user may change and that no provider manages. */
export const userBody = (
  values: UserValues,
  { isAdmin, isExternal, isNew }: { isAdmin: boolean; isExternal: boolean; isNew: boolean },
): UserBody => {
  const { name, username, email, password, current_password, admin, alert, can_create_project, email_proven } = values;
  if (values.service) return { name: name.trim(), username: username.trim(), admin, can_create_project } as UserBody;
  const own = isExternal ? {} : { username: username.trim(), email: email.trim() };
  return {
    name: name.trim(),
    alert,
    ...(own as { username: string; email: string }),
    ...(isNew || password !== '' ? { password } : {}),
    ...(isNew || current_password === '' ? {} : { current_password }),
    ...(isAdmin ? { admin, can_create_project } : {}),
    ...(isAdmin && !isNew && email_proven ? { email_proven } : {}),
  };
};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const EXAMPLE_LENGTH = 10;

/** A random example password: ten letters and digits, uniformly distributed. */
export const examplePassword = (): string => {
  const limit = 256 - (256 % LETTERS.length);
  let password = '';
  while (password.length < EXAMPLE_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      if (byte < limit && password.length < EXAMPLE_LENGTH) password += LETTERS[byte % LETTERS.length];
    }
  }
  return password;
};
