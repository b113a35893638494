import { describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { readArguments } from './arguments';

const RANGE = { from: 1, to: 50 };

describe('readArguments', () => {
  it('[L1] reads the flags that the usage names', () => {
    const given = readArguments('chaos', [
      '--rounds=3',
      '--with',
      'a,b',
      '--with',
      'c',
      '--json',
      'out.json',
    ]);
    expect(given.wholeNumber('rounds', RANGE)).toBe(3);
    expect(given.names('with', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(given.path('json')).toBe('out.json');
    expect(given.wholeNumber('shoppers', RANGE)).toBeUndefined();
    expect(readArguments('bench', ['--quick']).isSet('quick')).toBe(true);
  });

  it.each([['0'], ['51'], ['1.5'], ['1e1'], ['x'], ['']])(
    '[L1] refuses %j as a number of 1 to 50',
    (text) => {
      const given = readArguments('lab', [`--rounds=${text}`]);
      expect(() => given.wholeNumber('rounds', RANGE)).toThrow(UsageError);
    },
  );

  it('[L1] names the usage when it refuses, in one line', () => {
    const wrong = [['--nonsense'], ['--rounds', '-1'], ['--json'], ['more'], ['--quick=1']];
    for (const args of wrong) {
      expect(() => readArguments('bench', args)).toThrow(/^[^\n]+ \(npm run bench -- [^\n]+\)$/);
    }
    expect(() => readArguments('bench', ['--json=']).path('json')).toThrow('--json must not be empty');
  });

  it('[L1] a flag that the usage does not name is a mistake of ours', () => {
    expect(() => readArguments('bench', []).path('svg')).toThrow(RangeError);
  });
});
