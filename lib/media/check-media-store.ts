import 'server-only';
import { randomUUID } from 'node:crypto';
import { isOutage } from '@/lib/errors/is-outage';
import { mediaStore } from './media-store';

/** Tells whether the store of pictures takes a file, gives it back and removes it. */
export async function checkMediaStore(): Promise<boolean> {
  const name = `check/${randomUUID()}`;
  const bytes = Buffer.from(name);
  const store = mediaStore();
  try {
    await store.write(name, bytes);
    const read = await store.read(name);
    await store.remove([name]);
    return read?.equals(bytes) ?? false;
  } catch (error) {
    if (isOutage(error)) return false;
    throw error;
  }
}
