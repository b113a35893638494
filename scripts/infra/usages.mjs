/**
 * How to call each command, by its script's name: the only list for `--help`, for unknown flags, and for messages.
 * `takes` names the flags a command knows; a word in capitals after one means that it takes a value.
 * @type {Record<string, { call: string, takes: string, says: string }>}
 */
const USAGES = {
  start: {
    call: 'npm start',
    takes: '',
    says: `Installs what is missing, builds, starts Postgres and Redis where no others are named, migrates, seeds a demo, and
serves until Ctrl-C. Set by variables: PORT, SECKILL_DATA_DIR, SECKILL_HOST, SECKILL_DEMO, DATABASE_URL, REDIS_URL and
those in README.md. Exit code 0: stopped by a signal; 1: it could not start, and says why.`,
  },
  dev: {
    call: 'npm run dev',
    takes: '',
    says: 'The same as npm start, with hot reload.',
  },
  test: {
    call: 'npm test',
    takes: '[--all] [--unit | --e2e] [FILE …] | --changed [REV]',
    says: `Runs lint, types, unit, integration and browser tests on servers of its own; --unit without a browser, --e2e only
the browser's, files only those; --changed what a change since REV (the last commit) can break. --all (npm run test:all) also runs bounds on time, other ways to serve, and the product's
commands from outside. E2E_REDIS=cluster tests a product on a Redis cluster. docs/TESTING.md says more. Exit code 0: all passed; 1: one failed; 2: called wrongly.`,
  },
  generate: {
    call: 'npm run generate',
    takes: '',
    says: 'Writes the Prisma client from prisma/schema.prisma into prisma/generated, without a network.',
  },
  build: {
    call: 'npm run build',
    takes: '',
    says: `Makes everything that web, worker and executor run from, without servers and secrets: installs packages where they are
missing, generates the Prisma client, builds and compresses pages, bundles the processes. Exit code 0: built, or up to date;
1: not, and says why.`,
  },
  web: {
    call: 'npm run web',
    takes: '',
    says: `Runs one web process in the foreground, over servers and secrets that the environment names, until SIGTERM; needs npm run
build before it. PORT and SECKILL_HOST say where it listens; /livez and /readyz there tell how it is. deploy/README.md lists
its settings. Exit code 0: stopped by a signal; 1: it could not start, and says why.`,
  },
  worker: {
    call: 'npm run worker',
    takes: '',
    says: `Runs one worker in the foreground, over servers and secrets that the environment names, until SIGTERM; needs npm run build
before it. Any number may run. METRICS_PORT and METRICS_HOST say where /metrics, /livez and /readyz are. deploy/README.md
lists its settings. Exit code 0: stopped by a signal; 1: it could not start, and says why.`,
  },
  executor: {
    call: 'npm run executor',
    takes: '',
    says: `Runs one executor of our own in the foreground, where no other Inngest does, until SIGTERM; needs npm run build before it.
EXECUTOR_PORT and EXECUTOR_HOST say where it listens; /livez and /readyz there tell how it is. deploy/README.md lists its
settings. Exit code 0: stopped by a signal; 1: it could not start, and says why.`,
  },
  migrate: {
    call: 'npm run migrate',
    takes: '',
    says: 'Brings the database of DATABASE_URL up to date and says what it applied. Needs no other variable.',
  },
  verify: {
    call: 'npm run verify',
    takes: '[--sale ID] [--json]',
    says: `Recomputes the invariants of one sale, or of all published ones, with its decision log, waiting room, draw and provider statements, and the audit log.
Exit code 0: all hold; 1: one is broken; 2: could not be checked.`,
  },
  preflight: {
    call: 'npm run preflight',
    takes: '[--json]',
    says: `Says what is missing before this shop goes live: settings, staff, backups and the parts that run. /admin/setup shows the
same, with what to do. Exit code 0: nothing is missing; 1: something is; 2: it could not be checked.`,
  },
  reconcile: {
    call: 'npm run reconcile',
    takes: '--sale ID [--repair] [--json]',
    says: `Compares Redis, the outbox, Postgres and the payment providers' books, names what differs, and with --repair puts right what is safe to.
Exit code 0: nothing differs any more; 1: something does; 2: could not be compared.`,
  },
  backup: {
    call: 'npm run backup',
    takes: '--out FILE [--passphrase-file FILE] [--with-mail] [--force]',
    says: `Writes the whole database and the data directory's secrets and media into one encrypted file, while the product runs.
The passphrase is read from the file, or from SECKILL_BACKUP_PASSPHRASE; --with-mail takes sent mails along; --force replaces a file.
Exit code 0: written; 2: not, and says why.`,
  },
  restore: {
    call: 'npm run restore',
    takes: '--in FILE [--passphrase-file FILE] [--data-dir DIR] [--check] [--json]',
    says: `Restores a backup into an empty data directory, or into the empty database of DATABASE_URL; npm start goes on from there.
With REDIS_URL it names the purchases that this Redis has and the backup has not. --check only reads the file, compares every byte, and says what is in it.
Exit code 0: restored, or whole; 2: not, and says why.`,
  },
  admin: {
    call: 'npm run admin',
    takes: 'invite EMAIL --role ROLE',
    says: `Invites somebody to the staff and prints a link that works once: whoever opens it chooses a password and has the
role. Roles: merchant, support, auditor, operator, admin. Exit code 0: invited; 2: not, and says why.`,
  },
  bench: {
    call: 'npm run bench',
    takes: '[--json FILE] [--compare FILE] [--quick] [--only NAME,…] [--profile DIR]',
    says: `Measures the figures of docs/BENCHMARKS.md now, on servers of its own. Takes minutes. --json writes the results and
every round; --compare reads such a file of an earlier run and says what changed by more than the rounds lie apart. --profile writes a
.cpuprofile of each process of the product for each figure: Chrome's DevTools, VS Code and speedscope.app show it as a flame graph. With INNGEST_BIN=FILE in the
environment that Inngest server runs the functions, not the embedded executor.
Exit code 0: measured; 1: it failed; 2: called wrongly.`,
  },
  lab: {
    call: 'npm run lab',
    takes:
      '[--only NAME,…] [--json FILE] [--svg FILE] [--buyers N] [--units N] [--concurrency N] [--seed N] [--rounds N]',
    says: `Races every way to deduct stock, right and wrong, on servers of its own.
Exit code 0: each did what is said of it; 1: one did not; 2: could not be run.`,
  },
  chaos: {
    call: 'npm run chaos',
    takes:
      '[--rounds N] [--seed S] [--json FILE] [--redis KIND] [--pooler] [--faults NAME,…] [--with NAME,…] [--per-round N] [--load-sec N] [--shoppers N] [--for-sec N]',
    says: `Kills, freezes and cuts off processes in the middle of sales, then compares all books. Without a seed one is chosen.
--redis cluster (instead of server) runs on six servers, --pooler behind PgBouncer; each adds faults of its own.
Exit code 0: every promise was kept; 1: one was broken; 2: called wrongly.`,
  },
  attack: {
    call: 'npm run attack',
    takes: '[--scenario NAME] [--seed S] [--json FILE] [--short]',
    says: `Scripted attackers and simulated people at sales of a product of its own; --scenario may be repeated.
Exit code 0: every target was met; 1: one was missed; 2: called wrongly.`,
  },
  screenshots: {
    call: 'npm run screenshots',
    takes: '[--out DIR]',
    says: 'Takes the pictures of the documents, of a product of its own, into docs/images or DIR. Takes minutes.',
  },
  prove: {
    call: 'npm run prove',
    takes: '--receipt FILE [--head FILE] [--log FILE]',
    says: `Checks the proof of fairness that a shopper got from an order's page, without any server: --head compares it with a
head that somebody kept, --log recomputes the whole published log. docs/FAIRNESS.md says what that proves.
Exit code 0: proven; 1: something does not fit; 2: called wrongly.`,
  },
  sbom: {
    call: 'npm run sbom',
    takes: '[--out FILE]',
    says: `Lists every package of production with version, hash and licence, as CycloneDX, in dist/sbom.cdx.json or FILE.
Exit code 0: written; 1: written, but a licence has to be read by somebody first; 2: not written, and says why.`,
  },
  'loadtest-tokens': {
    call: 'npm run loadtest:tokens',
    takes: '--sale ID --users N --out FILE [--yes]',
    says: `Writes entry tokens of N load-test users, one JSON line each, for a demo or a database on this machine; for any
other with --yes. Exit code 0: written; 2: not, and says why.`,
  },
};

/** The names of all commands with a usage. */
export const COMMANDS = Object.keys(USAGES);

/** @param {string} name @returns {string} one line: how to call the command. */
export function usageOf(name) {
  const { call, takes } = USAGES[name];
  return takes ? `${call} -- ${takes}` : call;
}

/** @param {string} name @returns {string} the output of `--help`. */
export const helpOf = (name) => `usage: ${usageOf(name)}\n\n${USAGES[name].says}`;

/**
 * The flags a command knows. One that takes a value names it in capitals.
 * @param {string} name
 * @returns {Map<string, { takesValue: boolean }>} by flag, its dashes included
 */
export function flagsOf(name) {
  const { takes } = USAGES[name];
  return new Map(
    Array.from(takes.matchAll(/(--[a-z0-9-]+)( [A-Z])?/g), ([, flag, value]) => [
      flag,
      { takesValue: value !== undefined },
    ]),
  );
}

/**
 * Answers `--help`, and refuses flags the command does not know; in both cases the process ends here, before the product
 * or any package is loaded.
 * @param {string} name of the command
 * @param {string[]} args
 */
export function checkUsage(name, args) {
  const { call, takes } = USAGES[name];
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpOf(name));
    process.exit(0);
  }
  const flags = flagsOf(name);
  const isKnown = (arg) => {
    const [, flag, value] = /^([^=]*)(=.*)?$/s.exec(arg) ?? [];
    const known = flags.get(flag);
    return known !== undefined && (value === undefined || (known.takesValue && value !== '='));
  };
  const unknown = args.find((arg) => /^-(?!\d)/.test(arg) && !isKnown(arg));
  const wrong = unknown ?? (takes === '' ? args[0] : undefined);
  if (wrong === undefined) return;
  console.error(`${call} does not know ${JSON.stringify(wrong)}.\nusage: ${usageOf(name)}`);
  process.exit(2);
}
