import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGuessable } from './guessable-password';

const ANN = { email: 'ann.miller@example.com', name: 'Ann Miller-Schmidt' };

describe('passwords that somebody would try first', () => {
  it.each([
    'password',
    'PassWord',
    '12345678',
    'qwertyuiop',
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
  ])('[N2] refuses %s: it is little more than the own name or address', (password) => {
    expect(isGuessable(password, ANN)).toBe(true);
  });

  it.each([
    'correct horse battery',
    'long enough',
    'the miller grinds flour',
    'mit dem Drachen ins Kino',
    '香蕉和蓝色的自行车',
    'xK9#mQ2$vL',
    'annual report of cats',
  ])('[N2] takes %s', (password) => {
    expect(isGuessable(password, ANN)).toBe(false);
  });

  it('[N2] survives any text, and takes nearly every random one', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200, unit: 'binary' }),
        fc.string({ maxLength: 100 }),
        (password, name) => {
          expect(typeof isGuessable(password, { email: 'a@b', name })).toBe('boolean');
        },
      ),
    );
    const random = fc.sample(fc.stringMatching(/^[a-zA-Z0-9]{10,20}$/), 200);
    expect(random.filter((password) => isGuessable(password, ANN)).length).toBeLessThan(5);
  });

  it('[N2] says the same of a word however long what it is asked about', () => {
    expect(
      isGuessable('a'.repeat(200), { email: `${'a'.repeat(60)}@example.com`, name: 'a'.repeat(100) }),
    ).toBe(true);
  });
});
