/** Bounds and addresses of uploaded pictures, for the server and for pages. */

export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** 6,000 by 6,000. */
export const MAX_PICTURE_PIXELS = 36_000_000;
/** In pixels; a narrower picture is not enlarged. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const;
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
/** New pictures of a shop within 24 hours. */
export const MAX_PICTURES_A_DAY = 200;

type Width = (typeof PICTURE_WIDTHS)[number];

/** Every file of a picture, by its name. */
export const PICTURE_FILES: readonly string[] = PICTURE_WIDTHS.flatMap((width) => [
  `${width}.webp`,
  `${width}.avif`,
]);

/** The address of one file of a picture: `/media/<hash>/640.webp`. */
export const mediaPath = (hash: string, width: Width, format: 'webp' | 'avif'): string =>
  `/media/${hash}/${width}.${format}`;

const PATH = /^\/media\/([0-9a-f]{64})\/(?:320|640|1280)\.(?:webp|avif)$/;

/** Returns the hash in an address that `mediaPath` has made; null for any other. */
export const hashOfPath = (path: string | null): string | null => path?.match(PATH)?.[1] ?? null;

/** Pictures of one product, and characters that describe one. */
export const MAX_PICTURES = 8;
export const MAX_ALT_LENGTH = 200;
