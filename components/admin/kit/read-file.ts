import { ApiProblem } from '@/components/api/api-problem';

const MAX_BYTES = 1024 * 1024;

/** Reads a file to import. @throws ApiProblem TOO_LARGE, as the server would say */
export async function readFile(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new ApiProblem({ status: 413, code: 'TOO_LARGE' });
  return file.text();
}
