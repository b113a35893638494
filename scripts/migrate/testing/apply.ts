/** For tests: applies a folder's migrations in a process that the test can kill. `apply.ts URL FOLDER` */
import { applyMigrations } from '../apply-migrations';

const [databaseUrl = '', baseDir] = process.argv.slice(2);
await applyMigrations(databaseUrl, baseDir);
