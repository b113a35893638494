import type pg from 'pg';
import type { CopyConnection } from './copy-connection';

const BATCH_BYTES = 64 * 1024;
/** As many batches wait for the consumer before Postgres is made to wait. */
const MOST_WAITING = 16;

/**
 * Streams the rows of `COPY … TO STDOUT`, in batches of about 64 KiB. A slow reader makes Postgres wait.
 * @returns at the end, how many rows there were. @throws Postgres's errors.
 */
export async function* copyOut(client: pg.Client, sql: string): AsyncGenerator<Buffer, number> {
  const copy = new CopyOut(sql);
  client.query(copy);
  for (;;) {
    const batch = await copy.next();
    if (!batch) return copy.rows;
    yield batch;
  }
}

/** A statement as `pg` knows them, which takes the rows as they come. */
class CopyOut {
  rows = 0;
  private connection: CopyConnection | undefined;
  private readonly batches: Buffer[] = [];
  private open: Buffer = Buffer.alloc(0);
  private used = 0;
  private isDone = false;
  private error: Error | undefined;
  private wake = () => {};

  constructor(private readonly sql: string) {}

  submit(connection: unknown): void {
    this.connection = connection as CopyConnection;
    this.connection.query(this.sql);
  }

  /** `pg` uses its buffer again for what comes next, so the bytes are copied at once. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.used + chunk.length > this.open.length) {
      this.closeBatch();
      this.open = Buffer.allocUnsafe(Math.max(BATCH_BYTES, chunk.length));
    }
    chunk.copy(this.open, this.used);
    this.used += chunk.length;
    if (this.batches.length >= MOST_WAITING) this.connection?.stream.pause();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(text.split(' ')[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.closeBatch();
    this.isDone = true;
    this.wake();
  }

  handleError(error: Error): void {
    this.error = error;
    this.wake();
  }

  /** @returns the next batch, undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    while (!this.error && !this.isDone && this.batches.length === 0) {
      this.connection?.stream.resume();
      await new Promise<void>((done) => {
        this.wake = done;
      });
    }
    if (this.error) throw this.error;
    return this.batches.shift();
  }

  private closeBatch(): void {
    if (this.used === 0) return;
    this.batches.push(this.open.subarray(0, this.used));
    this.used = 0;
    this.open = Buffer.alloc(0);
    this.wake();
  }
}
