import { createCipheriv, createHash } from 'node:crypto';

type Counter = { counter: Uint8Array };

/**
 * The part of WebCrypto that shuffles need, computed at once: the real one answers by a thread whenever it pleases, which
 * simulated time can't wait for and which would make two runs differ.
 */
export const webCrypto = {
  subtle: {
    digest: async (_name: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer> =>
      bufferOf(createHash('sha256').update(bytes).digest()),
    importKey: async (_format: 'raw', key: Uint8Array): Promise<Uint8Array> => key,
    encrypt: async ({ counter }: Counter, key: Uint8Array, zeros: Uint8Array): Promise<ArrayBuffer> =>
      bufferOf(createCipheriv('aes-256-ctr', key, counter).update(zeros)),
  },
};

const bufferOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
