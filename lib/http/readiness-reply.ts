import 'server-only';
import { checkReadiness } from './check-readiness';
import { readyReply } from './health-replies';
import type { Reply } from './reply';

/** Answers whether the shop is ready to sell; 503 names what is missing. */
export const readinessReply = async (): Promise<Reply> => readyReply(await checkReadiness());
