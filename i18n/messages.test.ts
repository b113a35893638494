import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ORDER_NOTICE_KINDS } from '@/lib/contract/words/notice';
import { ORDER_CAUSES } from '@/lib/contract/words/order';
import { PAYMENT_OUTCOMES } from '@/lib/contract/words/payment';
import { SENTENCES } from '@/lib/contract/words/sentences';
import { ERROR_CODES } from '@/lib/errors/codes';
import { routing } from './routing';

const dir = join(import.meta.dirname, '../messages');

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

const read = (locale: string) =>
  flatten(JSON.parse(readFileSync(join(dir, `${locale}.json`), 'utf8')) as Tree);

/**
 * Returns the names and kinds of an ICU message's arguments, tags included. Each language chooses its own texts for a
 * plural's branches; the arguments in them count like any other.
 */
function placeholders(text: string): string[] {
  const found: Found = {
    names: new Set([...text.matchAll(/<(\w+)>/g)].map(([, tag]) => `<${tag}>`)),
    plurals: [],
  };
  readText(text, 0, found);
  return [...found.names].sort();
}

/** Returns the branches of each plural in an ICU message, as `['=0', 'one', 'other']`. */
function pluralsIn(text: string): string[][] {
  const found: Found = { names: new Set(), plurals: [] };
  readText(text, 0, found);
  return found.plurals;
}

type Found = { names: Set<string>; plurals: string[][] };

/** Reads text up to its closing brace or the end; returns the position of that. */
function readText(text: string, from: number, found: Found): number {
  let at = from;
  while (at < text.length && text[at] !== '}')
    at = text[at] === '{' ? readArgument(text, at + 1, found) : at + 1;
  return at;
}

/** Reads one argument after its opening brace; returns the position behind its closing brace. */
function readArgument(text: string, from: number, found: Found): number {
  const [head = '', name = '', kind] = /^(\w+)(?:, (\w+),)?/.exec(text.slice(from)) ?? [];
  found.names.add(kind ? `${name}:${kind}` : name);
  const branches: string[] = [];
  if (kind === 'plural') found.plurals.push(branches);
  let at = from + head.length;
  let label = '';
  while (at < text.length && text[at] !== '}') {
    if (text[at] === '{') {
      branches.push(label.trim());
      label = '';
      at = readText(text, at + 1, found) + 1;
    } else {
      label += text[at];
      at += 1;
    }
  }
  return at + 1;
}

const source = read(routing.defaultLocale);
const others = routing.locales.filter((locale) => locale !== routing.defaultLocale);

describe('[A1 L3] messages', () => {
  it('there is one file per language and no other', () => {
    expect(readdirSync(dir).sort()).toEqual(routing.locales.map((locale) => `${locale}.json`).sort());
  });

  it.each(others)('%s has the same keys as the default language', (locale) => {
    expect([...read(locale).keys()].sort()).toEqual([...source.keys()].sort());
  });

  it.each(others)('%s has the same placeholders in every message', (locale) => {
    const translated = read(locale);
    const differing = [...source].filter(
      ([key, text]) => placeholders(text).join() !== placeholders(translated.get(key) ?? '').join(),
    );
    expect(differing.map(([key]) => key)).toEqual([]);
  });

  it.each(routing.locales)('[O8] %s has every form of a plural that its grammar has', (locale) => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    // Some only tell exact numbers from all others: what they say does not depend on grammar.
    const counts = (branches: string[]) =>
      branches.some((branch) => /^(zero|one|two|few|many)$/.test(branch));
    const isWhole = (branches: string[]) => forms.every((form) => branches.includes(form));
    const lacking = [...read(locale)].filter(([key, text]) => {
      const plurals = pluralsIn(text);
      const isCounted = pluralsIn(source.get(key) ?? '').some(counts);
      return !plurals.filter(counts).every(isWhole) || (isCounted && !plurals.some(isWhole));
    });
    expect(lacking.map(([key]) => key)).toEqual([]);
  });

  it.each(others)('[O8] %s has a text of its own for every exact number that has one', (locale) => {
    const exact = (text: string) =>
      pluralsIn(text)
        .map((branches) => branches.filter((branch) => branch.startsWith('=')).sort())
        .join(';');
    const translated = read(locale);
    const differing = [...source].filter(([key, text]) => exact(text) !== exact(translated.get(key) ?? ''));
    expect(differing.map(([key]) => key)).toEqual([]);
  });

  it.each(routing.locales)(
    '[O8] %s has plain names in its mails: they are filled in without ICU',
    (locale) => {
      const mails = [...read(locale)].filter(([key]) => key.startsWith('Mail.'));
      expect(mails.filter(([, text]) => placeholders(text).some((name) => !/^\w+$/.test(name)))).toEqual([]);
    },
  );

  it.each(routing.locales)('%s has no empty message', (locale) => {
    expect([...read(locale)].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('every error code of the HTTP contract has words for people', () => {
    const missing = Object.keys(ERROR_CODES).filter((code) => !source.has(`Errors.${code}`));
    expect(missing).toEqual([]);
  });

  it.each(routing.locales)('%s has words for all that happens to an order', (locale) => {
    const words = read(locale);
    const wanted = [
      ...ORDER_CAUSES.map((cause) => `AdminOrders.happened.${cause}`),
      // Shoppers do not see internal steps.
      ...ORDER_CAUSES.filter((cause) => cause !== 'confirmed').map((cause) => `Order.happened.${cause}`),
      ...ORDER_NOTICE_KINDS.map((kind) => `AdminOrders.notices.${kind}`),
      ...PAYMENT_OUTCOMES.map((outcome) => `AdminOrders.outcomes.${outcome}`),
    ];
    expect(wanted.filter((key) => !words.has(key))).toEqual([]);
  });

  it.each(routing.locales)('%s has words for all that a recomputed promise can say', (locale) => {
    const words = read(locale);
    const missing = Object.entries(SENTENCES).filter(([code, text]) => {
      const said = words.get(`AdminLive.statement.${code}`);
      return said === undefined || placeholders(said).join() !== placeholders(text).join();
    });
    expect(missing.map(([code]) => code)).toEqual([]);
  });

  it('the comparison sees a missing placeholder and a missing tag', () => {
    expect(placeholders('Pay within {time}')).toEqual(['time']);
    const nested = '{count, plural, one {day} other {# of {total}}} <link>x</link>, {name}';
    expect(placeholders(nested)).toEqual(['<link>', 'count:plural', 'name', 'total']);
    expect(pluralsIn(nested)).toEqual([['one', 'other']]);
    expect(pluralsIn('{a, plural, =0 {} few {{b, plural, other {#}}} other {#}}')).toEqual([
      ['=0', 'few', 'other'],
      ['other'],
    ]);
  });
});
