import { describe, expect, it } from 'vitest';
import { parsePlace } from './parse-place';

describe('a place as the scripts write it', () => {
  it.each([
    ['w', 'waiting'],
    ['g', 'given'],
    ['p', 'passed_over'],
  ])('[M2] with the letter %s is %s', (letter, state) => {
    expect(parsePlace(`12,jti_1,9007199254740993,${letter}`)).toEqual({
      number: 12,
      jti: 'jti_1',
      // Longer than a number can be: it stays text.
      orderNo: '9007199254740993',
      state,
    });
  });

  it.each([
    '',
    ',,,',
    '0,jti,1,w',
    '-1,jti,1,w',
    '1.5,jti,1,w',
    '1,,1,w',
    '1,jti,,w',
    '1,jti,x,w',
    '1,jti,1,',
    '1,jti,1,x',
    '1,jti,1',
    '1,jti,1,w,more',
    'w'.repeat(10_000),
  ])('[M2] is refused, and shown in part, if it is none: %j', (text) => {
    expect(() => parsePlace(text)).toThrow(/^not a place: .{0,130}$/);
  });
});
