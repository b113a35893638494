import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readLatestHead } from '@/lib/decision-log/read-heads';
import { streamLeaves } from '@/lib/decision-log/stream-leaves';
import { fileResponse } from '@/lib/http/file-response';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.downloadLog, async ({ params: { saleId }, query, refuse }) => {
    const head = await readLatestHead(saleId);
    const size = query.size ?? head?.size;
    if (!head || size === undefined || size > head.size) return refuse('LOG_SIZE_UNKNOWN');
    return fileResponse('decisions.jsonl', 'application/jsonl; charset=utf-8', streamLeaves(saleId, size));
  }),
);
