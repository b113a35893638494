'use client';

import { useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import type { Picture } from '@/lib/contract/shapes/picture';
import { MAX_PICTURE_BYTES, MAX_PICTURES } from '@/lib/contract/words/media';

/** A picture waits for others, and is then decoded for up to 45 s. */
const WITHIN_MS = 120_000;

/** A file that did not become a picture of the product. `error` null: the product has as many as it may. */
export interface FailedUpload {
  name: string;
  error: Error | null;
}

/** Sends a file as it is. @throws ApiProblem */
function upload(file: File, shopId: string | undefined) {
  if (file.size > MAX_PICTURE_BYTES) throw new ApiProblem({ status: 413, code: 'TOO_LARGE' });
  return request('POST /api/admin/media', {
    query: { shopId },
    body: file,
    // The server takes no other type; the content decides.
    headers: { 'content-type': file.type.startsWith('image/') ? file.type : 'image/unknown' },
    timeoutMs: WITHIN_MS,
  });
}

/**
 * Holds a product's pictures while the user chooses them, and uploads new ones, one after the other: the shop decodes one
 * at a time.
 * @param shopId the shop of a new product; undefined: the one the user joined first
 */
export function useUploads(shopId: string | undefined, initial: Picture[]) {
  const [pictures, setPictures] = useState(initial);
  /** Null: nothing is being uploaded. */
  const [progress, setProgress] = useState<{ nth: number; of: number } | null>(null);
  const [failed, setFailed] = useState<FailedUpload[]>([]);
  const [done, setDone] = useState(0);
  const add = async (files: File[]) => {
    if (progress || files.length === 0) return;
    setFailed([]);
    setDone(0);
    const seen = new Set(pictures.map(({ hash }) => hash));
    for (const [index, file] of files.entries()) {
      setProgress({ nth: index + 1, of: files.length });
      try {
        if (seen.size >= MAX_PICTURES) {
          setFailed((all) => [...all, { name: file.name, error: null }]);
          continue;
        }
        const { hash } = await upload(file, shopId);
        seen.add(hash);
        // Meanwhile the user may have moved or removed others. The same picture twice is one.
        setPictures((now) => (now.some((each) => each.hash === hash) ? now : [...now, { hash, alt: '' }]));
        setDone((count) => count + 1);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        setFailed((all) => [...all, { name: file.name, error }]);
        // The next one would fare no better.
        if (error instanceof ApiProblem && error.code === 'RATE_LIMITED') break;
      }
    }
    setProgress(null);
  };
  return { pictures, setPictures, progress, failed, done, add };
}

export type Uploads = ReturnType<typeof useUploads>;
