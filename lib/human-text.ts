/** Matches what is written from right to left, by Unicode's blocks for such scripts, and what turns text round. */
const TURNS =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATES = /[\u2066-\u2069]/g;
/** The longest character that is kept whole, in UTF-16 units: a family of four has 11. */
const LONGEST = 64;

let segmenter: Intl.Segmenter | undefined;

/**
 * Contains a title or name that stands inside a sentence, so that it can't turn round what follows it (Unicode
 * TR 9, isolates). Returns text without such letters unchanged. Elements of a page use `<bdi>`.
 */
export const isolated = (text: string): string =>
  TURNS.test(text) ? `\u2068${text.replace(ISOLATES, '')}\u2069` : text;

/** Names what an order is for: the title of its sale, and the variant in brackets where the sale has some. */
export const itemName = (title: string, variantName: string | null): string =>
  variantName === null ? title : `${title} (${variantName})`;

/**
 * Cuts text between two characters as readers see them, never within an emoji or an accented letter.
 * @param max the most UTF-16 units to keep
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  segmenter ??= new Intl.Segmenter();
  const { index = 0 } = segmenter.segment(text.slice(0, max + LONGEST)).containing(max) ?? {};
  // One endless character: a letter under a heap of accents.
  return index > 0 ? text.slice(0, index) : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Writes digits of any script as 0 to 9, also the full-width ones of Chinese keyboards and the Arabic ones of Arabic
 * keyboards. Unicode keeps the ten digits of a script together, in order.
 */
export const latinDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) as number;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
