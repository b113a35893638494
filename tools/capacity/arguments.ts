import { UsageError } from '@/scripts/usage-error';
import { type Arguments, readArguments } from '@/tools/harness/arguments';

/** The sale one plans for. Times in ms, shares from 0 to 1. */
export type Crowd = {
  users: number;
  units: number;
  /** Everybody presses within this time. */
  windowMs: number;
  /** Before that, everybody comes within this time: page, visit, entry. */
  arriveMs: number;
  /** All orders are to be in Postgres this long after the last purchase. */
  writtenMs: number;
  /** Orders are paid, or expire, within this time. */
  payMs: number;
  /** Share of the orders that are paid. */
  paid: number;
  /** Share of the people who sign in while they come; the others are signed in already. */
  signIn: number;
  /** Share of the people who follow the sale over a stream; the others ask for its state. */
  streams: number;
  /** Share of the pages that a CDN answers. */
  cdn: number;
  /** Whether everybody has to solve a proof of work. */
  challenge: boolean;
  /** Share of its time that a process may be busy. */
  target: number;
};

export type CapacityArguments = {
  crowd: Crowd;
  /** File with measurements to use instead of measuring; null: measure now. */
  measured: string | null;
  save: string | null;
  check: boolean;
  json: boolean;
};

const USERS = { from: 1, to: 1e9 };
const TIME = { from: 100, to: 86_400_000 };
const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads the command line. @throws UsageError when called wrongly. */
export function parseCapacityArguments(args: readonly string[]): CapacityArguments {
  const given = readArguments('capacity', args);
  const [users, units, windowMs] = [
    number(given, 'users', USERS),
    number(given, 'units', USERS),
    time(given, 'window'),
  ];
  if (users === undefined || units === undefined || windowMs === undefined)
    throw new UsageError(
      'say --users N, --units N and --window TIME, such as --users 1e6 --units 1e4 --window 1s',
    );
  const measured = given.path('measured') ?? null;
  const check = given.isSet('check');
  const save = given.path('save') ?? null;
  if (measured !== null && save !== null)
    throw new UsageError('--measured reads what was measured before, so there is nothing to --save');
  return {
    crowd: {
      users,
      units,
      windowMs,
      arriveMs: time(given, 'arrive') ?? 600_000,
      writtenMs: time(given, 'written') ?? 60_000,
      payMs: time(given, 'pay') ?? 900_000,
      paid: share(given, 'paid') ?? 0.7,
      signIn: share(given, 'sign-in') ?? 0.1,
      streams: share(given, 'streams') ?? 1,
      cdn: share(given, 'cdn') ?? 0,
      challenge: given.isSet('challenge'),
      target: share(given, 'target', { from: 0.05, to: 0.95 }) ?? 0.6,
    },
    measured,
    save,
    check,
    json: given.isSet('json'),
  };
}

type Range = { from: number; to: number };

/** Reads a whole number, also as 1e6. */
function number(given: Arguments, flag: string, { from, to }: Range): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const value = /^\d{1,10}(\.\d{1,9})?(e\d{1,2})?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new UsageError(`--${flag} must be a whole number from ${from} to 1e9, not ${JSON.stringify(text)}`);
}

function time(given: Arguments, flag: string): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const [, amount, unit = ''] = /^(\d{1,10}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
  const value = Number(amount) * (UNITS_MS[unit] ?? Number.NaN);
  if (value >= TIME.from && value <= TIME.to) return value;
  throw new UsageError(
    `--${flag} must be a time with its unit, from 100ms to 24h, such as 500ms, 1s, 5m or 2h, not ${JSON.stringify(text)}`,
  );
}

function share(given: Arguments, flag: string, { from, to }: Range = { from: 0, to: 1 }): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const value = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(`--${flag} must be a share from ${from} to ${to}, not ${JSON.stringify(text)}`);
}
