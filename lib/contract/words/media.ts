/** What the shop knows about uploaded pictures, for the server and for pages. */

export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
export const MAX_PICTURE_PIXELS = 40_000_000;
/** Pixels; a narrower picture is not enlarged. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const;
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;

/** A file of an uploaded picture: `/media/<hash>/640.webp`. */
export const mediaPath = (hash: string, width: (typeof PICTURE_WIDTHS)[number], format: 'webp' | 'avif') =>
  `/media/${hash}/${width}.${format}`;

/** How many pictures a product may have, and how long the words may be that say what one shows. */
export const MAX_PICTURES = 8;
export const MAX_ALT_LENGTH = 200;

/** Returns which uploaded picture an address shows, if it is one that `mediaPath` has made; null: it shows none. */
export const hashOfPath = (path: string | null): string | null =>
  path?.match(/^\/media\/([0-9a-f]{64})\/(?:320|640|1280)\.(?:webp|avif)$/)?.[1] ?? null;
