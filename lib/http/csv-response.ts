import { fileResponse } from './file-response';

/** By this Excel knows UTF-8; otherwise it reads the file in the code page of its machine. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Answers with a CSV file that opens in Excel; see `fileResponse`. */
export const csvResponse = (filename: string, pieces: AsyncIterable<string>): Response =>
  fileResponse(filename, 'text/csv; charset=utf-8', marked(pieces));

async function* marked(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = BYTE_ORDER_MARK;
  for await (const piece of pieces) {
    yield mark + piece;
    mark = '';
  }
}
