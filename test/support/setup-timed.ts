/** Files that are judged by a clock hold the product to its usual limits. Runs after the setup of integration tests. */
process.env.SECKILL_PATIENCE = '1';
