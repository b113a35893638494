import { runCommand } from '../run-command';

// For tests: something stays open when the command is done.
setInterval(() => {}, 1_000);
await runCommand(async () => 1);
