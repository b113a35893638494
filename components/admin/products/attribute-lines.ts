import { MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTE_VALUE, MAX_ATTRIBUTES } from '@/lib/contract/words/product';

/** Writes the attributes of a product as lines: `Material: paper`. */
export const toAttributeLines = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/**
 * Reads such lines; empty ones say nothing. A wide colon, as Chinese keyboards have it, is one, too.
 * @returns null if a line has no name or no value, is too long, or repeats a name, and if there are too many
 */
export function readAttributeLines(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) =>
    /^([^:：]+)[:：](.+)$/
      .exec(line)
      ?.slice(1)
      .map((part) => part.trim()),
  );
  const isGood = pairs.every(
    (pair) =>
      pair?.every((part) => part !== '') &&
      (pair[0] as string).length <= MAX_ATTRIBUTE_NAME &&
      (pair[1] as string).length <= MAX_ATTRIBUTE_VALUE,
  );
  const attributes = Object.fromEntries(pairs.map((pair) => [pair?.[0] ?? '', pair?.[1] ?? '']));
  return isGood && lines.length <= MAX_ATTRIBUTES && Object.keys(attributes).length === lines.length
    ? attributes
    : null;
}
