import 'server-only';
import { env } from '@/lib/env';
import { type Bucket, bucketStore } from './bucket-store';
import { fileStore } from './file-store';

/** Keeps the files of pictures under names such as `<hash>/640.webp`. A name always stands for the same content. */
export type MediaStore = {
  /** Stores a file whole or not at all. @throws OutageError */
  write: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Returns a file; null if there is none. @throws OutageError */
  read: (name: string) => Promise<Buffer<ArrayBuffer> | null>;
  /** Tells whether there is such a file. @throws OutageError */
  has: (name: string) => Promise<boolean>;
  /** Removes these files, those among them that are there. @throws OutageError */
  remove: (names: readonly string[]) => Promise<void>;
};

let bucket: { of: Bucket; store: MediaStore } | undefined;

/** Returns the store that the settings choose: a bucket if they name one, else a folder. */
export function mediaStore(): MediaStore {
  const { mediaBucket, mediaDir } = env();
  if (!mediaBucket) return fileStore(mediaDir);
  // Its connections are used again.
  if (bucket?.of !== mediaBucket) bucket = { of: mediaBucket, store: bucketStore(mediaBucket) };
  return bucket.store;
}
