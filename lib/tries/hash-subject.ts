import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';

/** 96 bits: two subjects never meet. */
const LENGTH = 16;

/** A subject of tries as it stands in a key: who reads Redis reads no e-mail address. */
export const hashSubject = (...parts: readonly string[]): string =>
  createHmac('sha256', `tries:${env().nextAuthSecret}`)
    .update(parts.join('\n'))
    .digest('base64url')
    .slice(0, LENGTH);
