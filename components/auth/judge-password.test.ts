import { describe, expect, it } from 'vitest';
import { judgePassword, type PasswordVerdict } from './judge-password';

describe('judgePassword', () => {
  const account = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' };

  it.each<[string, PasswordVerdict]>([
    ['', 'short'],
    ['q7!xK2p', 'short'],
    ['lovelace1843', 'own'],
    ['ada.lovelace@example.com', 'own'],
    ['aaaaaaaaaaaaaaaa', 'simple'],
    ['abababababababab', 'simple'],
    ['abcdefghij', 'simple'],
    ['87654321', 'simple'],
    ['12345678a', 'simple'],
    ['tuesday!x', 'fair'],
    ['我的密码很难猜到', 'fair'],
    ['correct horse battery', 'good'],
    ['lovelace wrote about engines', 'good'],
  ])('[N4] says of %j while it is typed: %s', (password, verdict) => {
    expect(judgePassword(password, account)).toBe(verdict);
  });

  it('[N4] says what the server says about words of the account, and nothing of them while none is known', () => {
    expect([judgePassword('lovelace1843'), judgePassword('lovelace1843', account)]).toEqual(['fair', 'own']);
  });
});
