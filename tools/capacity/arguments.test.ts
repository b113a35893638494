import { describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { parseCapacityArguments } from './arguments';

const MINIMUM = ['--users', '1e6', '--units', '1e4', '--window', '1s'];

describe('npm run capacity', () => {
  it('[K5] takes a crowd, units and a window, numbers also as 1e6, times with their unit', () => {
    expect(parseCapacityArguments(MINIMUM)).toEqual({
      crowd: {
        users: 1_000_000,
        units: 10_000,
        windowMs: 1_000,
        arriveMs: 600_000,
        writtenMs: 60_000,
        payMs: 900_000,
        paid: 0.7,
        signIn: 0.1,
        streams: 1,
        cdn: 0,
        challenge: false,
        target: 0.6,
      },
      measured: null,
      save: null,
      check: false,
      json: false,
    });
    const more = ['--arrive', '1.5h', '--written', '500ms', '--pay', '5m', '--paid', '1', '--target', '0.5'];
    const rest = [
      '--sign-in',
      '0',
      '--streams',
      '0.25',
      '--cdn',
      '0.9',
      '--challenge',
      '--measured',
      'm.json',
      '--json',
    ];
    const { crowd, measured, json } = parseCapacityArguments([...MINIMUM, ...more, ...rest]);
    expect(crowd).toMatchObject({
      arriveMs: 5_400_000,
      writtenMs: 500,
      payMs: 300_000,
      paid: 1,
      target: 0.5,
    });
    expect(crowd).toMatchObject({ signIn: 0, streams: 0.25, cdn: 0.9, challenge: true });
    expect([measured, json]).toEqual(['m.json', true]);
  });

  it.each([
    ['--users', '0'],
    ['--users', '-5'],
    ['--users', '1.5'],
    ['--users', '1e99'],
    ['--users', 'many'],
    ['--users', ''],
    ['--users', 'NaN'],
    ['--units', '0'],
    ['--units', '2e9'],
    ['--window', '1'],
    ['--window', '0s'],
    ['--window', '-1s'],
    ['--window', '1e99s'],
    ['--window', '25h'],
    ['--window', '1 s'],
    ['--window', 'Infinitys'],
    ['--paid', '1.1'],
    ['--paid', '70%'],
    ['--target', '0'],
    ['--target', '1'],
    ['--streams', '-1'],
    ['--measured', ''],
    ['--foo', '1'],
    ['bar'],
  ])('[K5] refuses %s %s in one sentence', (...args) => {
    const call = () => parseCapacityArguments([...MINIMUM, ...args]);
    expect(call).toThrow(UsageError);
    expect(call).toThrow(/^[^\n]{10,700}$/);
  });

  it('[K5] says what is missing, and that old measurements need no saving', () => {
    expect(() => parseCapacityArguments([])).toThrow(/--users N, --units N and --window TIME/);
    expect(() => parseCapacityArguments(MINIMUM.slice(0, 4))).toThrow(UsageError);
    const old = [...MINIMUM, '--measured', 'm.json'];
    expect(parseCapacityArguments([...old, '--check'])).toMatchObject({ check: true, measured: 'm.json' });
    expect(() => parseCapacityArguments([...old, '--save', 'x.json'])).toThrow(UsageError);
  });
});
