import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';

/** 96 bits: enough that two subjects never collide. */
const LENGTH = 16;

/** Hashes a subject of tries for use in a key: a reader of Redis sees no e-mail address. */
export const hashSubject = (...parts: readonly string[]): string =>
  createHmac('sha256', `tries:${env().nextAuthSecrets[0]}`)
    .update(parts.join('\n'))
    .digest('base64url')
    .slice(0, LENGTH);
