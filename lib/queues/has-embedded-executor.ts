import 'server-only';
import { env } from '@/lib/env';

/** Tells whether the executor runs in our own database. If it runs elsewhere, its tables here are empty and say nothing. */
export const hasEmbeddedExecutor = (): boolean => env().executorPort !== undefined;
