import { MAX_A_DAY, shopForUpload, uploadMedia } from '@/lib/admin/media/upload-media';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS } from '@/lib/contract/words/media';
import { problem } from '@/lib/http/problem';
import { readBytes } from '@/lib/http/read-bytes';

const RETRY_BUSY_MS = 5_000;
const RETRY_TOMORROW_MS = 3_600_000;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.uploadMedia, async ({ request, user, query, refuse }) => {
    const shopId = await shopForUpload(user, query.productId);
    if (shopId === null) return refuse('NOT_FOUND');
    const bytes = await readBytes(request, MAX_PICTURE_BYTES);
    if (bytes === null) return problem('TOO_LARGE', { detail: `at most ${MAX_PICTURE_BYTES} bytes` });
    const result = await uploadMedia(shopId, bytes);
    switch (result.status) {
      case 'stored':
        return result.media;
      case 'not_a_picture':
        return refuse('MEDIA_NOT_A_PICTURE');
      case 'too_many_pixels':
        return refuse('MEDIA_TOO_MANY_PIXELS', { detail: `at most ${MAX_PICTURE_PIXELS} pixels` });
      case 'too_many':
        return refuse('RATE_LIMITED', {
          detail: `at most ${MAX_A_DAY} new pictures a day`,
          retryAfterMs: RETRY_TOMORROW_MS,
        });
      case 'busy':
        return refuse('UNAVAILABLE', { detail: 'Too many pictures wait.', retryAfterMs: RETRY_BUSY_MS });
    }
  }),
);
