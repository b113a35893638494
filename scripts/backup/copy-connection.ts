import type { Duplex } from 'node:stream';

/** What a statement may use of `pg`'s connection; its types leave COPY out. */
export type CopyConnection = {
  stream: Duplex;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};
