import { log } from '@/lib/http/log';
import { applyTestEnv } from './test-env';

applyTestEnv();
// Failures that tests cause on purpose would bury the real ones.
log.level = 'silent';
