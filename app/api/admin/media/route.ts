import { describeWait } from '@/lib/access/describe-wait';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { MAX_PICTURE_PIXELS, MAX_PICTURES_A_DAY } from '@/lib/contract/words/media';
import { uploadMedia } from '@/lib/media/admin/upload-media';

const RETRY_BUSY_MS = 5_000;
const RETRY_LATER_MS = 3_600_000;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.uploadMedia, async ({ user, query, body, refuse }) => {
    const result = await uploadMedia(user, query.shopId, body);
    switch (result.status) {
      case 'stored':
        return result.media;
      case 'no_shop':
        return refuse('SHOP_NOT_FOUND');
      case 'not_a_picture':
        return refuse('MEDIA_NOT_A_PICTURE');
      case 'too_many_pixels':
        return refuse('MEDIA_TOO_MANY_PIXELS', { detail: `at most ${MAX_PICTURE_PIXELS} pixels` });
      case 'too_many':
        return refuse('RATE_LIMITED', {
          detail: `at most ${MAX_PICTURES_A_DAY} new pictures a day`,
          ...describeWait('picture', RETRY_LATER_MS),
        });
      case 'busy':
        return refuse('UNAVAILABLE', { detail: 'Other pictures come first.', retryAfterMs: RETRY_BUSY_MS });
    }
  }),
);
