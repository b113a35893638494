import { describe, expect, it } from 'vitest';
import { callbackPath } from './callback-path';
import { checkCredentials } from './check-credentials';

describe('[L3] sign-in and registration forms', () => {
  it('take what is right', () => {
    expect(checkCredentials({ email: ' a@b.co ', password: 'x' }, 'signIn')).toEqual({});
    expect(checkCredentials({ email: 'a@b.co', password: '12345678', name: 'Ann' }, 'register')).toEqual({});
  });
  it('name each wrong field', () => {
    expect(checkCredentials({ email: 'a@b', password: '' }, 'signIn')).toEqual({
      email: 'emailInvalid',
      password: 'passwordMissing',
    });
    expect(checkCredentials({ email: '', password: '1234567', name: ' ' }, 'register')).toEqual({
      email: 'emailInvalid',
      password: 'passwordTooShort',
      name: 'nameMissing',
    });
  });
});

describe('[L3] where signing in leads', () => {
  const origin = 'https://shop.test';
  it('is back to where the visitor was, in the language of the page', () => {
    expect(callbackPath('?callbackUrl=%2Fsales%2Fx', origin)).toBe('/sales/x');
    expect(callbackPath('?callbackUrl=%2Fzh-CN%2Fsales%2Fx', origin)).toBe('/sales/x');
    expect(callbackPath('?callbackUrl=%2Fzh-CN', origin)).toBe('/');
    expect(callbackPath('?callbackUrl=%2Fenough', origin)).toBe('/enough');
  });
  it('is never another site', () => {
    expect(callbackPath('?callbackUrl=https%3A%2F%2Fevil.test%2F', origin)).toBe('/');
    expect(callbackPath('', origin)).toBe('/');
  });
});
