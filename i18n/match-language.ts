import { type Locale, routing } from './routing';

/** More than any browser lists: whatever follows is not read. */
const MAX_WISHES = 20;

/**
 * Finds the shop's language that a browser likes best; null: it likes none of them. Languages match if they are written
 * in the same script, said or implied: `zh-HK` and `zh-Hant` are 繁體中文, `zh` and `zh-SG` are 简体中文.
 * @param wishes language tags, best first, as in `navigator.languages`; what is no tag is passed over
 */
export function matchLanguage(wishes: readonly string[]): Locale | null {
  for (const wish of wishes.slice(0, MAX_WISHES)) {
    const written = writtenAs(wish);
    const match = written && routing.locales.find((locale) => writtenAs(locale) === written);
    if (match) return match;
  }
  return null;
}

/** Returns language and script of a tag, as `zh-Hant`. */
function writtenAs(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}
