import { parseArgs } from 'node:util';
import { UsageError } from '@/scripts/usage-error';
import { flagsOf, usageOf } from '../../scripts/infra/usages.mjs';

type Range = { from: number; to: number };

/** A tool's command line. Each reader returns undefined if the flag was not given. */
type Arguments = {
  isSet(flag: string): boolean;
  text(flag: string): string | undefined;
  /** Reads a whole number. @throws UsageError unless it is within the range, both ends included. */
  wholeNumber(flag: string, range: Range): number | undefined;
  /**
   * Reads names in the order given. The flag may be repeated or hold several names, separated by commas.
   * @throws UsageError on unknown names.
   */
  names<Name extends string>(flag: string, known: readonly Name[]): Name[] | undefined;
  /** Reads a file or folder. @throws UsageError when it is empty. */
  path(flag: string): string | undefined;
};

/** Seeds of 31 bits, because the number after a round's or schedule's seed must be a seed, too. */
export const SEEDS = { from: 0, to: 2 ** 31 - 1 };

/**
 * Reads the flags that the tool's usage names.
 * @param tool its name in the list of usages
 * @throws UsageError on unknown flags, positionals and missing values
 */
export function readArguments(tool: string, args: readonly string[]): Arguments {
  const flags = flagsOf(tool);
  const refuse = (problem: string) => new UsageError(`${problem} (${usageOf(tool)})`);
  const { isGiven, texts } = parse(args, [...flags], refuse);

  const textsOf = (flag: string): readonly string[] | undefined => {
    if (!flags.get(`--${flag}`)?.takesValue) throw new RangeError(`${tool} has no --${flag} with a value`);
    return texts.get(flag);
  };
  return {
    isSet: (flag) => isGiven.has(flag),
    text: (flag) => textsOf(flag)?.at(-1),
    wholeNumber(flag, { from, to }) {
      const text = textsOf(flag)?.at(-1);
      if (text === undefined) return undefined;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= from && value <= to) return value;
      throw refuse(`--${flag} must be a whole number from ${from} to ${to}, not ${JSON.stringify(text)}`);
    },
    names(flag, known) {
      const wanted = textsOf(flag)?.flatMap((list) => list.split(','));
      return wanted?.map((name) => {
        const found = known.find((other) => other === name);
        if (found !== undefined) return found;
        throw refuse(`--${flag} does not know ${JSON.stringify(name)}, only ${known.join(', ')}`);
      });
    },
    path(flag) {
      const path = textsOf(flag)?.at(-1);
      if (path === '') throw refuse(`--${flag} must not be empty`);
      return path;
    },
  };
}

function parse(
  args: readonly string[],
  flags: readonly (readonly [string, { takesValue: boolean }])[],
  refuse: (problem: string) => UsageError,
) {
  const options = Object.fromEntries(
    flags.map(([flag, { takesValue }]) => {
      const type: 'string' | 'boolean' = takesValue ? 'string' : 'boolean';
      return [flag.replace('--', ''), { type, multiple: true }];
    }),
  );
  try {
    const given = Object.entries(parseArgs({ args: [...args], options }).values);
    const texts = given.map(([flag, values]): [string, string[]] => [
      flag,
      [values].flat().filter((value) => typeof value === 'string'),
    ]);
    return { isGiven: new Set(given.map(([flag]) => flag)), texts: new Map(texts) };
  } catch (error) {
    // Node's message may have several lines.
    throw refuse(String(error instanceof Error ? error.message : error).replaceAll('\n', ' '));
  }
}
