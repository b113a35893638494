import { outlastStandstills } from '@/test/support/outlast-standstills';
import { checkRedis } from '../../../scripts/infra/check-redis.mjs';

outlastStandstills();

/** Checks the Redis of the environment as `npm start` does, and prints what it would say. */
try {
  console.log(JSON.stringify({ warnings: await checkRedis(process.env.REDIS_URL ?? '', 'REDIS_URL') }));
} catch (error) {
  console.log(JSON.stringify({ problem: (error as Error).message }));
}
process.exit();
