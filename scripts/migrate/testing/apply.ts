/** For tests: applies the migrations of a folder, as a process that can be killed. `apply.ts URL FOLDER` */
import { applyMigrations } from '../apply-migrations';

const [databaseUrl = '', baseDir] = process.argv.slice(2);
await applyMigrations(databaseUrl, baseDir);
