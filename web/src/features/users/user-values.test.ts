import { describe, expect, it } from 'vitest';
import { examplePassword, newUserValues, userBody, userProblems } from './user-values.ts';

const MARA = { id: 2, name: 'Mara', username: 'mara', email: 'mara@example.org' };

describe('the values of the user form', () => {
  it('require a password only for a new user', () => {
    expect(userProblems(newUserValues(undefined), { isNew: true, asksCurrent: false })).toEqual({
      name: 'form.nameRequired',
      username: 'users.usernameRequired',
      email: 'users.emailRequired',
      password: 'users.passwordRequired',
    });
    const short = { ...newUserValues(undefined), password: 'seven77' };
    expect(userProblems(short, { isNew: true, asksCurrent: false }).password).toBe('users.passwordShort');
    expect(userProblems(newUserValues(MARA), { isNew: false, asksCurrent: true })).toMatchObject({
      current_password: 'signIn.passwordRequired',
    });
    expect(
      Object.values(userProblems(newUserValues(MARA), { isNew: false, asksCurrent: false })).filter(Boolean),
    ).toEqual([]);
  });

  it('are sent without rights that only admins may give, without fields that a provider manages, and without an empty password', () => {
    const values = { ...newUserValues(MARA), admin: true };
    const access = { isAdmin: false, isExternal: false, isNew: false };
    expect(userBody(values, access)).toEqual({
      name: 'Mara',
      username: 'mara',
      email: 'mara@example.org',
      alert: false,
    });
    expect(userBody(values, { ...access, isExternal: true })).toEqual({ name: 'Mara', alert: false });
    expect(userBody(values, { ...access, isAdmin: true })).toMatchObject({ admin: true, can_create_project: false });
  });
});

describe('a generated example of a password', () => {
  it('has ten random letters and digits', () => {
    const made = Array.from({ length: 200 }, examplePassword);
    for (const password of made) expect(password).toMatch(/^[A-Za-z0-9]{10}$/);
    expect(new Set(made).size).toBe(200);
  });
});
