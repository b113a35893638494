import { ApiProblem } from '@/components/api/api-problem';
import { toProblem } from '@/components/api/fetch-json';
import { addressOf } from '@/components/api/request';
import type { Media } from '@/lib/contract/shapes/media';
import { MAX_PICTURE_BYTES } from '@/lib/contract/words/media';

/** A picture waits for others, and is then decoded for up to 45 s. */
const WITHIN_MS = 120_000;

/**
 * Sends a picture as it is.
 * @param productId the product it is for, if there is one yet
 * @throws ApiProblem, as `fetchAnswer`
 */
export async function uploadPicture(file: File, productId: string | null): Promise<Media> {
  if (file.size > MAX_PICTURE_BYTES) throw new ApiProblem({ status: 413, code: 'TOO_LARGE' });
  const response = await fetch(addressOf('POST /api/admin/media', { query: { productId } }), {
    method: 'POST',
    headers: { accept: 'application/json' },
    // Another type than a picture's would be taken for a request of another site.
    body: file.type.startsWith('image/') ? file : file.slice(0, file.size, 'image/unknown'),
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch(() => {
    throw new ApiProblem({ status: 0, code: 'NETWORK' });
  });
  if (!response.ok) throw await toProblem(response);
  return (await response.json()) as Media;
}
