import 'server-only';
import { env } from '@/lib/env';

/** Whether the executor is the one in our own database; where it is elsewhere its tables are empty and say nothing. */
export const hasEmbeddedExecutor = (): boolean => env().executorPort !== undefined;
