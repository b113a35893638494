import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readMedia } from '@/lib/media/read-media';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readMedia, async ({ params: { hash, file }, refuse }) => {
    const body = await readMedia(hash, file);
    if (!body) return refuse('NOT_FOUND');
    return new Response(body, {
      headers: {
        'content-type': file.endsWith('.avif') ? 'image/avif' : 'image/webp',
        'content-length': String(body.byteLength),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        // Mails and other shops' pages may show them.
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
  }),
);
