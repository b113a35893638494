import { z } from 'zod';
import { area } from '../operation';
import { forShop } from '../shapes/common';
import { media } from '../shapes/media';
import { MAX_PICTURE_BYTES, PICTURE_TYPES } from '../words/media';

export const adminMedia = area(
  'Pictures',
  'Merchants upload pictures of their products; everybody sees them.',
);
const { operation } = adminMedia;

export const uploadMedia = operation('POST /api/admin/media', {
  who: 'manageSales',
  says: 'Stores a picture: at most 10 MiB, 36 million pixels, 200 new ones a day for each shop. The content decides what it is, not its type. The same file is stored once.',
  query: z.object({ shopId: forShop }),
  upload: PICTURE_TYPES,
  maxBytes: MAX_PICTURE_BYTES,
  answers: { 200: media },
  errors: ['SHOP_NOT_FOUND', 'MEDIA_NOT_A_PICTURE', 'MEDIA_TOO_MANY_PIXELS', 'RATE_LIMITED'],
});

export const readMedia = operation('GET /media/{hash}/{file}', {
  who: 'nothing',
  says: 'One file of a stored picture: `320`, `640` or `1280` and `.webp` or `.avif`. It never changes.',
  answers: { 200: { mediaType: 'image/webp', says: 'The file: WebP, or AVIF by its name.' } },
  errors: ['NOT_FOUND', 'UNAVAILABLE'],
});
