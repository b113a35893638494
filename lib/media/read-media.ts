import 'server-only';
import { PICTURE_FILES } from '@/lib/contract/words/media';
import { mediaStore } from './media-store';

const HASH = /^[0-9a-f]{64}$/;

/**
 * Returns one file of a picture, a few hundred KB at most; null if there is none.
 * @param hash, file as an address says: only those that we give reach the store
 * @throws OutageError
 */
export async function readMedia(hash: string, file: string): Promise<Buffer<ArrayBuffer> | null> {
  if (!HASH.test(hash) || !PICTURE_FILES.includes(file)) return null;
  return mediaStore().read(`${hash}/${file}`);
}
