import type { BodyInput, Key, KeyType, RouteTable } from '@signalbox/contract';

/** The types of keys in the order in which they are offered. */
export const KEY_TYPES = [
  { type: 'ssh', labelKey: 'keys.type.ssh' },
  { type: 'login_password', labelKey: 'keys.type.loginPassword' },
  { type: 'none', labelKey: 'keys.type.none' },
] as const satisfies readonly { type: KeyType; labelKey: string }[];

export const keyTypeLabel = (type: KeyType): string =>
  KEY_TYPES.find((one) => one.type === type)?.labelKey ?? 'keys.type.none';

/** Values of the form. For a stored key these are its name, type and login, never its secret. */
export type KeyValues = {
  name: string;
  type: KeyType;
  override_secret: boolean;
  login: string;
  password: string;
  passphrase: string;
  private_key: string;
};

/** The login of a key; empty for a key without one, and for members who may not change keys. */
export const loginOf = ({ type, ssh, login_password }: Key): string =>
  type === 'ssh' ? ssh.login : type === 'login_password' ? login_password.login : '';

export const newKeyValues = (key: Key | undefined): KeyValues => ({
  name: key?.name ?? '',
  type: key?.type ?? 'ssh',
  override_secret: false,
  login: key === undefined ? '' : loginOf(key),
  password: '',
  passphrase: '',
  private_key: '',
});

/** Whether the secret can be entered: for a new key, for a stored key whose secret is replaced, or that gets a first one. */
export const maySetSecret = (values: Pick<KeyValues, 'override_secret' | 'type'>, key: Key | undefined): boolean =>
  key === undefined || values.override_secret || (key.type === 'none' && values.type !== 'none');

/** Catalogue keys of the errors, by field. */
export const keyProblems = (values: KeyValues, key: Key | undefined): Record<string, string | undefined> => {
  const open = maySetSecret(values, key);
  return {
    name: values.name.trim() === '' ? 'form.nameRequired' : undefined,
    override_secret: key && key.type !== values.type && !open ? 'keys.typeNeedsSecret' : undefined,
    password: open && values.type === 'login_password' && values.password === '' ? 'keys.passwordRequired' : undefined,
    private_key:
      open && values.type === 'ssh' && values.private_key.trim() === '' ? 'keys.privateKeyRequired' : undefined,
  };
};

/** Body that creates a key or replaces its secret. It contains the part of the chosen type only. */
export const keyBody = (values: KeyValues): BodyInput<RouteTable['createKey']> => {
  const { type, override_secret, login, password, passphrase, private_key } = values;
  return {
    name: values.name.trim(),
    type,
    override_secret,
    ...(type === 'ssh' && private_key !== '' ? { ssh: { login, private_key, passphrase } } : {}),
    ...(type === 'login_password' && password !== '' ? { login_password: { login, password } } : {}),
  };
};

/** Body that changes a stored key. Without a new secret it contains the name, and the login if that has changed. */
export const keyChange = (values: KeyValues, key: Key): BodyInput<RouteTable['updateKey']> => {
  const { type, login, override_secret } = values;
  if (maySetSecret(values, key)) return keyBody({ ...values, override_secret: true });
  const hasNewLogin = type === key.type && login !== loginOf(key);
  return { name: values.name.trim(), type, override_secret, ...(hasNewLogin ? { [type]: { login } } : {}) };
};

/** Body of a test of an unsaved key. */
export const keyTestBody = (values: KeyValues, repository_id: number | null): BodyInput<RouteTable['testNewKey']> => {
  const { name: _name, override_secret: _override, ...secret } = keyBody(values);
  return { ...secret, repository_id };
};
