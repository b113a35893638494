import { parseEnv } from '@/lib/env';

/** Prints what is wrong with the environment; `npm start` runs it before it starts or changes anything. */
try {
  parseEnv(process.env);
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
