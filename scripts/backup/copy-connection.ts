import type { Duplex } from 'node:stream';

/** The parts of `pg`'s connection that COPY needs; its types leave them out. */
export type CopyConnection = {
  stream: Duplex;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};
