import type { EncodedBody, Encoding } from './encode-body';
import type { WirePage } from './wire';

/** A page, file or list in memory, ready to send in every encoding. */
export type KeptPage = {
  tag: string;
  notModified: WirePage;
  variants: Partial<Record<Encoding, WirePage>>;
  bytes: number;
};

const NOTHING = Buffer.alloc(0);
const CACHE_CONTROL = /^cache-control$/i;

/**
 * Makes a kept page. @param headers name, value … of every answer with it. @param status 404 for the "not found"
 * page; no browser or cache may keep it, because the missing page may exist a moment later.
 */
export function toKeptPage(
  { tag, encodings, bytes }: EncodedBody,
  headers: readonly string[],
  status: 200 | 404 = 200,
): KeptPage {
  const base =
    status === 200
      ? headers
      : headers.map((value, at) =>
          at % 2 === 1 && CACHE_CONTROL.test(headers[at - 1] ?? '') ? 'no-store' : value,
        );
  const variants: KeptPage['variants'] = {};
  for (const [encoding, body] of Object.entries(encodings) as [Encoding, Buffer][]) {
    const isPlain = encoding === 'identity';
    variants[encoding] = {
      status,
      body,
      headers: [
        ...base,
        ...(isPlain ? [] : ['Content-Encoding', encoding]),
        'ETag',
        isPlain ? `"${tag}"` : `"${tag}-${encoding}"`,
        'Content-Length',
        String(body.length),
      ],
    };
  }
  return {
    tag,
    notModified: { status: 304, headers: [...base, 'ETag', `"${tag}"`], body: NOTHING },
    variants,
    bytes,
  };
}

/**
 * Chooses the variant of a kept page that answers a request. @param accepted `Accept-Encoding`. @param wanted
 * `If-None-Match`
 */
export function chooseVariant(
  page: KeptPage,
  accepted: string | undefined,
  wanted: string | undefined,
): WirePage {
  const { identity, br, gzip } = page.variants;
  if (!identity) throw new Error('a page without a body');
  if (identity.status === 200 && wanted?.includes(page.tag)) return page.notModified;
  if (br && accepts(accepted ?? '', 'br')) return br;
  return gzip && accepts(accepted ?? '', 'gzip') ? gzip : identity;
}

/** Matches an encoding by its whole name, unless its weight is zero. */
const ACCEPTED = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i,
};

const accepts = (text: string, encoding: keyof typeof ACCEPTED): boolean => ACCEPTED[encoding].test(text);
