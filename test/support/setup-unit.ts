import { log } from '@/lib/http/log';
import { seedProperties } from './random';
import { applyTestEnv } from './test-env';

applyTestEnv();
seedProperties();
// Failures that tests cause on purpose would bury the real ones.
log.level = 'silent';
