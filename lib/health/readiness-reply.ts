import 'server-only';
import type { Reply } from '@/lib/http/reply';
import { checkReadiness } from './check-readiness';
import { readyReply } from './health-replies';

/** Answers whether the shop is ready to sell; 503 names what is missing. */
export const readinessReply = async (): Promise<Reply> => readyReply(await checkReadiness());
