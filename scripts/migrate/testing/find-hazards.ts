import { type Statement, splitSql } from '../split-sql';

/** A statement that a shop can't run while it sells, or that the release before can't live with. */
type Hazard = { line: number; statement: string; why: string };

/**
 * Tables that stay small: reading all of one takes milliseconds. Any other table that was there before may have a row
 * for each order, shopper or request.
 */
const SMALL = new Set(
  `alert_evaluation alert_rules alerts approvals audit_head blocks breakers campaigns dead_letters invitations level_rules
   lost_refusals membership_rules products reconciliations rehearsals risk_rules sales side_features stock_grants sync_failures`.split(
    /\s+/,
  ),
);

/** A comment that excuses a hazard. It stands before the statement, or before the first one for the whole script. */
const REASON = /^\s*--\s*Safe beside the last release: \S/m;

type Rule = {
  why: string;
  /** Finds the hazard in a statement without comments. */
  found: RegExp;
  /** True if it does no harm where the table is small. */
  isQuickIfSmall?: boolean;
};

const CONTRACT = 'the last release may still use it: remove it one release later';
const REWRITE = 'it rewrites the table, and nobody reads it meanwhile';
const SCAN = 'it reads the whole table, and nobody may write to it, or even read it, meanwhile';
const VOLATILE = String.raw`(?:clock_timestamp|timeofday|random|gen_random_uuid|uuid\w*|nextval)\s*\(`;

const RULES: Rule[] = [
  { why: CONTRACT, found: /^DROP (TABLE|VIEW|FUNCTION|PROCEDURE|TYPE|SEQUENCE|SCHEMA|DOMAIN)\b/i },
  {
    why: CONTRACT,
    found: /^ALTER TABLE\b.*\bDROP (?:COLUMN\b|(?!CONSTRAINT|EXPRESSION|IDENTITY|DEFAULT|NOT\b)["a-z])/i,
  },
  {
    why: 'the last release knows it by its old name: add the new beside it',
    found: /^ALTER (TABLE|VIEW|FUNCTION|TYPE|SEQUENCE|SCHEMA)\b.*\bRENAME\b(?! CONSTRAINT)/i,
  },
  {
    why: `${REWRITE}; the last release reads the old type`,
    found: /\bALTER (COLUMN )?\S+ (SET DATA )?TYPE\b/i,
  },
  {
    why: 'the last release does not write it: add it with a DEFAULT, or NULL',
    found:
      /\bADD (COLUMN )?(?!CONSTRAINT|CHECK|FOREIGN|PRIMARY|UNIQUE|EXCLUDE)(?=[^,]*\bNOT NULL\b)(?!(?:[^,(]|\([^()]*\))*\b(?:DEFAULT|GENERATED)\b)/i,
  },
  {
    why: REWRITE,
    found: new RegExp(
      String.raw`\bADD (COLUMN )?[^,]*\b(?:DEFAULT ${VOLATILE}|GENERATED ALWAYS AS \(|(?:BIG|SMALL)?SERIAL\b|AS IDENTITY)`,
      'i',
    ),
    isQuickIfSmall: true,
  },
  {
    why: `${SCAN}: add a CHECK (… IS NOT NULL) NOT VALID, validate it in the next migration, then set it`,
    found: /\bALTER (COLUMN )?\S+ SET NOT NULL\b/i,
    isQuickIfSmall: true,
  },
  {
    why: `${SCAN}: add it NOT VALID, and validate it in the next migration`,
    found:
      /^ALTER TABLE\b(?!.*\bNOT (VALID|ENFORCED)\b).*\b(ADD (CONSTRAINT \S+ )?(CHECK|FOREIGN KEY)|ADD (COLUMN )?[^,]*\b(REFERENCES|CHECK)\b)/i,
    isQuickIfSmall: true,
  },
  {
    why: `${SCAN}: build the index CONCURRENTLY, then add the constraint USING INDEX`,
    found: /^ALTER TABLE\b(?!.*\bUSING INDEX\b).*\bADD (CONSTRAINT \S+ )?(PRIMARY KEY|UNIQUE|EXCLUDE)\b/i,
    isQuickIfSmall: true,
  },
  {
    why: 'nobody may write to the table while the index is built: CREATE INDEX CONCURRENTLY',
    found: /^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY\b)(?!.*\bON ONLY\b)/i,
    isQuickIfSmall: true,
  },
  { why: SCAN, found: /\bATTACH PARTITION\b/i, isQuickIfSmall: true },
  { why: REWRITE, found: /^(CLUSTER|VACUUM|REINDEX|TRUNCATE)\b|\bSET (UN)?LOGGED\b|\bSET TABLESPACE\b/i },
  { why: 'nobody else may use the table until the end of the migration', found: /^LOCK\b/i },
  {
    why: 'it keeps the rows locked until the end of the migration: let a worker do it in small batches',
    found: /^(UPDATE|DELETE|MERGE)\b|^INSERT INTO\b.*\bSELECT\b|^WITH\b.*\b(UPDATE|DELETE|INSERT)\b/i,
    isQuickIfSmall: true,
  },
];

/**
 * Finds what a migration must not do beside the last release in the middle of a sale: change or remove what that
 * release uses (expand now, contract a release later), or lock a table for longer than a moment. A comment `-- Safe
 * beside the last release: …` lets a statement through, or at its head the whole script.
 */
export function findHazards(sql: string): Hazard[] {
  const statements = splitSql(sql);
  if (REASON.test(statements[0]?.comments ?? '')) return [];
  const created = new Set(statements.flatMap(({ text }) => createdBy(text)));
  const added = new Set<string>();
  const hazards = statements.flatMap((statement) => {
    const hazard = hazardOf(statement, created) ?? validatedTooEarly(statement, added);
    const isReasoned = REASON.test(statement.comments);
    return hazard && !isReasoned ? [{ line: statement.line, statement: statement.text, why: hazard }] : [];
  });
  return hazards;
}

function hazardOf({ text, body }: Statement, created: ReadonlySet<string>): string | undefined {
  // A DO block acts at once; the body of a function waits for its caller.
  if (/^DO\b/i.test(text)) {
    const inner = splitSql(body.replace(/\b(BEGIN|LOOP|THEN|ELSE)\b/gi, ';'));
    for (const statement of inner) {
      const built = /^EXECUTE\b/i.test(statement.text)
        ? 'it is put together when it runs: nobody has looked at it'
        : undefined;
      const why = built ?? hazardOf(statement, created);
      if (why) return why;
    }
    return undefined;
  }
  const table = tableOf(text);
  if (table && created.has(table)) return undefined;
  const isSmall = table !== undefined && SMALL.has(table);
  return RULES.find(({ found, isQuickIfSmall }) => found.test(text) && !(isQuickIfSmall && isSmall))?.why;
}

/** The lock of adding a constraint lasts until the end of the script, which is one transaction. */
function validatedTooEarly({ text }: Statement, added: Set<string>): string | undefined {
  const [, name] = /\bADD CONSTRAINT (\S+)/i.exec(text) ?? [];
  if (name) added.add(name);
  const [, validated] = /\bVALIDATE CONSTRAINT (\S+)/i.exec(text) ?? [];
  return validated && added.has(validated) ? `${SCAN}: validate it in the next migration` : undefined;
}

const NAME = String.raw`(?:IF (?:NOT )?EXISTS )?(?:ONLY )?((?:[\w.]+|"[^"]+")+)`;
const CREATED = new RegExp(
  `^CREATE (?:UNLOGGED |TEMP |TEMPORARY )?(?:TABLE|FUNCTION|TYPE|VIEW|SEQUENCE) ${NAME}`,
  'i',
);
const USED = [
  new RegExp(`^(?:ALTER|DROP|TRUNCATE|LOCK) (?:TABLE|FUNCTION|TYPE|VIEW|SEQUENCE) ${NAME}`, 'i'),
  new RegExp(String.raw`^CREATE (?:UNIQUE )?INDEX .*?\bON ${NAME}`, 'i'),
  new RegExp(`^(?:UPDATE|DELETE FROM|INSERT INTO|LOCK|TRUNCATE) ${NAME}`, 'i'),
];

const plain = (name: string | undefined) =>
  name
    ?.replaceAll('"', '')
    .replace(/^public\./, '')
    .toLowerCase();
const createdBy = (text: string) => {
  const name = plain(CREATED.exec(text)?.[1]);
  return name ? [name] : [];
};
const tableOf = (text: string) => plain(USED.map((used) => used.exec(text)?.[1]).find(Boolean));
