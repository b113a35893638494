import { fileResponse } from './file-response';

/** Answers with a CSV file; see `fileResponse`. */
export const csvResponse = (filename: string, pieces: AsyncIterable<string>): Response =>
  fileResponse(filename, 'text/csv; charset=utf-8', pieces);
