import { z } from 'zod';
import { hashOfPath, MAX_ALT_LENGTH, MAX_PICTURES, mediaPath } from '../words/media';

export const picture = z
  .object({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'the hash of an upload')
      .meta({
        description: 'The `hash` that `POST /api/admin/media` answered with.',
      }),
    alt: z.string().trim().max(MAX_ALT_LENGTH).meta({
      description: 'Describes the picture to people who do not see it; empty: it is decoration.',
    }),
  })
  .meta({ id: 'Picture' });

/** One of a product's own pictures. */
export type Picture = z.output<typeof picture>;

/** A product's pictures, first to last. */
export const pictures = z
  .array(picture)
  .max(MAX_PICTURES)
  .refine((list) => new Set(list.map(({ hash }) => hash)).size === list.length, 'each picture once');

/** Returns the address of a product's first picture, as `imageUrl` has it. */
export const firstPath = ([first]: readonly Pick<Picture, 'hash'>[]): string | null =>
  first ? mediaPath(first.hash, 640, 'webp') : null;

/**
 * Returns a product's own pictures, first to last. The first is `imageUrl`. If it is not, somebody has changed `imageUrl`
 * alone, perhaps a release that knows no others; then no stored picture counts.
 */
export const picturesOf = (stored: { imageUrl: string | null; pictures: Picture[] }): Picture[] =>
  stored.imageUrl !== null && firstPath(stored.pictures) === stored.imageUrl
    ? stored.pictures.map(({ hash, alt }) => ({ hash, alt }))
    : [];

type Given = { imageUrl?: string | null; pictures?: Picture[] };

/**
 * Returns the changes to store. The first picture becomes `imageUrl`; a product without own pictures shows the `imageUrl`
 * that is given. An `imageUrl` that leads to an upload is a picture.
 * @param before the `imageUrl` of now
 */
export function picturesToStore({ imageUrl, pictures }: Given, before: string | null): Given {
  if (pictures?.length) return { imageUrl: firstPath(pictures), pictures };
  if (pictures === undefined && (imageUrl === undefined || imageUrl === before)) return {};
  const hash = hashOfPath(imageUrl ?? null);
  if (pictures === undefined && hash !== null)
    return picturesToStore({ pictures: [{ hash, alt: '' }] }, before);
  const left = imageUrl === undefined ? before : imageUrl;
  return { imageUrl: hashOfPath(left) === null ? left : null, pictures: [] };
}
