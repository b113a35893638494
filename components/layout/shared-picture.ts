import { PICTURE_WIDTHS } from '@/lib/contract/words/media';

const UPLOADED = /^(\/media\/[0-9a-f]{64}\/)\d+(\.webp)$/;
const WIDEST = Math.max(...PICTURE_WIDTHS);

/**
 * Returns the picture that previews of a page show: of an uploaded one the widest file. Null without one, and for SVG,
 * which no preview shows.
 */
export function sharedPicture(imageUrl: string | null): string | null {
  if (imageUrl === null || /\.svg$/i.test(imageUrl)) return null;
  return imageUrl.replace(UPLOADED, `$1${WIDEST}$2`);
}
