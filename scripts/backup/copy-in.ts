import { once } from 'node:events';
import type pg from 'pg';
import type { CopyConnection } from './copy-connection';

/**
 * Sends a stream to `COPY … FROM STDIN`, no faster than Postgres takes it.
 * @returns how many rows Postgres took. @throws Postgres's errors, and those of the source; then no row is there.
 */
export async function copyIn(client: pg.Client, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  const copy = new CopyIn(sql);
  client.query(copy);
  const connection = await copy.ready;
  try {
    for await (const chunk of source) {
      if (copy.hasEnded) break;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain)
        await Promise.race([once(connection.stream, 'drain'), copy.rows.catch(() => {})]);
    }
  } catch (error) {
    connection.sendCopyFail('the source failed');
    await copy.rows.catch(() => {});
    throw error;
  }
  connection.endCopyFrom();
  return copy.rows;
}

/** A statement as `pg` knows them, which says when Postgres is ready to take rows. */
class CopyIn {
  readonly ready: Promise<CopyConnection>;
  readonly rows: Promise<number>;
  hasEnded = false;
  private begin: (connection: CopyConnection) => void = () => {};
  private finish: (rows: number) => void = () => {};
  private fail: (error: Error) => void = () => {};
  private count = 0;

  constructor(private readonly sql: string) {
    this.rows = new Promise((finish, fail) => {
      this.finish = finish;
      this.fail = fail;
    });
    this.ready = new Promise((begin, fail) => {
      this.begin = begin;
      this.rows.catch(fail);
    });
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.begin(connection);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.count = Number(text.split(' ')[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.hasEnded = true;
    this.finish(this.count);
  }

  handleError(error: Error): void {
    this.hasEnded = true;
    this.fail(error);
  }
}
