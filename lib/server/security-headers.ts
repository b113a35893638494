import { createHash } from 'node:crypto';
import type { CdnVendor } from '@/lib/cdn/adapter';

/** For every answer that is no page: the browser may run, show or frame nothing in it. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For scripts: one that runs as a worker is under the policy of its own file, and loads other files of ours. */
export const SCRIPT_POLICY = `${DATA_POLICY}; script-src 'self'`;

/** The headers of every answer, from our server and from Next. */
export const SECURITY_HEADERS: readonly { key: string; value: string }[] = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  {
    key: 'Permissions-Policy',
    value: ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics']
      .map((feature) => `${feature}=()`)
      .join(', '),
  },
  { key: 'Content-Security-Policy', value: DATA_POLICY },
];

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
const DATA_TYPE = /type="(?:application|text\/(?!javascript))/;

/** The settings, besides its bytes, that decide a page's policy and headers. */
export type PageSettings = {
  /** True if the shop's public address is https. */
  isSecure: boolean;
  /** Another name of the shop, where pages buy. */
  purchaseOrigin?: string;
  /** Another name of the shop, where scripts and styles are. */
  assetOrigin?: string;
  /** The CDN that gets tags with every page. */
  cdnVendor?: CdnVendor;
};

/**
 * Returns the Content-Security-Policy of a page. It allows our own files and, by their hashes, the inline scripts of
 * these bytes, which are the same for every visitor. It stops script that is inserted later, in the browser; script
 * already in the bytes is hashed with the rest.
 */
export function pagePolicy(html: string, { isSecure, purchaseOrigin, assetOrigin }: PageSettings): string {
  const hashes = new Set<string>();
  for (const [, attributes = '', code = ''] of html.matchAll(INLINE_SCRIPT)) {
    if (DATA_TYPE.test(attributes)) continue;
    hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  }
  const assets = assetOrigin === undefined ? [] : [`${assetOrigin}/_next/static/`];
  const purchases = purchaseOrigin === undefined ? [] : [purchaseOrigin];
  return [
    "default-src 'none'",
    ["script-src 'self'", ...assets, ...hashes].join(' '),
    // Dialogs lock the scrolling behind them with a style element of their own.
    ["style-src 'self'", ...assets, "'unsafe-inline'"].join(' '),
    // A merchant may enter a picture's address on another site; over http only while the shop itself uses http.
    `img-src 'self' data: https:${isSecure ? '' : ' http:'}`,
    ["font-src 'self'", ...assets].join(' '),
    ["connect-src 'self'", ...purchases].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}
