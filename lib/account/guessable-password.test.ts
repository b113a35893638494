import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEMO_PASSWORD } from './demo-accounts';
import { easeOf } from './easy-password';
import { isGuessable } from './guessable-password';

const ANN = { email: 'ann.miller@example.com', name: 'Ann Miller-Schmidt' };

describe('a password that somebody would try first', () => {
  it.each([
    'password',
    'PassWord',
    'ｐａｓｓｗｏｒｄ',
    'iloveyou',
    'password2026!',
    '!!dragon1999',
    '123baseball',
  ])('[N2] refuses %s: it is common', (password) => {
    expect(isGuessable(password, ANN)).toBe(true);
  });

  it.each([
    'ann.miller@example.com',
    'annmiller',
    'Miller2026',
    'MillerSchmidt1',
    'example1',
    'miller-miller',
    ANN.name,
  ])('[N2] refuses %s: it is little more than the own name or address', (password) => {
    expect(easeOf(password, ANN)).toBe('own');
    expect(isGuessable(password, ANN)).toBe(true);
  });

  it.each(['aaaaaaaaaaaaaaaa', 'abababababab', 'abcdefghij', '87654321', '12345678a', '哈哈哈哈哈哈哈哈'])(
    '[N2] refuses %s: few characters, or a row',
    (password) => {
      expect(easeOf(password, ANN)).toBe('simple');
      expect(isGuessable(password, ANN)).toBe(true);
    },
  );

  it.each([
    'correct horse battery',
    'long enough',
    'the miller grinds flour',
    'mit dem Drachen ins Kino',
    '香蕉和蓝色的自行车',
    'xK9#mQ2$vL',
    'annual report of cats',
    DEMO_PASSWORD,
  ])('[N2] takes %s', (password) => {
    expect(isGuessable(password, ANN)).toBe(false);
  });

  it('[N2] judges any text, and takes nearly every random one', () => {
    const text = fc.string({ maxLength: 200, unit: 'binary' });
    fc.assert(
      fc.property(text, text, (password, name) => {
        expect(typeof isGuessable(password, { email: 'a@b', name })).toBe('boolean');
      }),
    );
    const random = fc.sample(fc.stringMatching(/^[a-zA-Z0-9]{10,20}$/), 200);
    expect(random.filter((password) => isGuessable(password, ANN)).length).toBeLessThan(5);
  });
});
