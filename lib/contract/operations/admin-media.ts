import { z } from 'zod';
import { type Area, operation } from '../operation';
import { media } from '../shapes/media';
import { PICTURE_TYPES } from '../words/media';

export const uploadMedia = operation({
  id: 'uploadMedia',
  method: 'POST',
  path: '/api/admin/media',
  who: 'manageSales',
  says: 'A picture of the shop: at most 10 MiB, 40 million pixels, 200 new ones a day. Its content decides what it is, not its type. The same file is stored once. It belongs to the shop of the product it is for, else to the one that is chosen.',
  query: z.object({ productId: z.string().max(64).optional() }),
  upload: { mediaTypes: PICTURE_TYPES, says: 'The file itself.' },
  answers: { 201: media },
  errors: ['NOT_FOUND', 'MEDIA_NOT_A_PICTURE', 'MEDIA_TOO_MANY_PIXELS', 'RATE_LIMITED'],
});

export const readMedia = operation({
  id: 'readMedia',
  method: 'GET',
  path: '/media/{hash}/{file}',
  who: 'nothing',
  says: 'One file of an uploaded picture: `320`, `640` or `1280` and `.webp` or `.avif`. It never changes.',
  answers: { 200: { mediaType: 'image/webp', says: 'The file: WebP, or `image/avif` by its name.' } },
  errors: ['NOT_FOUND'],
});

export const adminMedia: Area = {
  name: 'Pictures',
  says: 'Merchants upload pictures of their products; everybody sees them.',
  operations: [uploadMedia, readMedia],
};
