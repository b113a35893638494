import { z } from 'zod';
import { hashOfPath, MAX_ALT_LENGTH, MAX_PICTURES, mediaPath } from '../words/media';

/** One of a product's uploaded pictures. */
export const picture = z
  .object({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'what an upload was answered with')
      .meta({ description: 'Of `POST /api/admin/media`.' }),
    alt: z.string().trim().max(MAX_ALT_LENGTH).meta({
      description: 'What it shows, for those who do not see it; empty: the name next to it says so.',
    }),
  })
  .meta({ id: 'Picture' });
export type Picture = z.output<typeof picture>;

/** A product's pictures, first to last. */
export const pictures = z
  .array(picture)
  .max(MAX_PICTURES)
  .refine((list) => new Set(list.map(({ hash }) => hash)).size === list.length, 'each picture once');

/**
 * Returns a product's uploaded pictures, first to last. The first of them is `imageUrl`. Where it isn't, someone has
 * changed that alone, perhaps a release that doesn't know the others: then only that one is left.
 * @param stored what the product's row says of them
 */
export function picturesOf({
  imageUrl,
  pictures: stored,
}: {
  imageUrl: string | null;
  pictures: unknown;
}): Picture[] {
  const first = hashOfPath(imageUrl);
  if (first === null) return [];
  const read = pictures.safeParse(stored);
  return read.success && read.data[0]?.hash === first ? read.data : [{ hash: first, alt: '' }];
}

interface Given {
  imageUrl?: string | null;
  pictures?: Picture[];
}

/**
 * Returns what to store of the pictures that somebody gives. The first one becomes `imageUrl`; where there is none left,
 * it is what they give, else nothing.
 * @param before the `imageUrl` of now
 */
export function picturesToStore({ imageUrl, pictures: given }: Given, before: string | null): Given {
  const [first] = given ?? [];
  if (first) return { imageUrl: mediaPath(first.hash, 640, 'webp'), pictures: given };
  const isOther = imageUrl !== undefined && imageUrl !== before;
  if (!given) return isOther ? { imageUrl, pictures: [] } : {};
  if (imageUrl !== undefined) return { imageUrl, pictures: given };
  return hashOfPath(before) === null ? { pictures: given } : { imageUrl: null, pictures: given };
}
