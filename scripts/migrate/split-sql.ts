/** One statement of a script. */
export type Statement = {
  /** The statement in one line, without comments and semicolon; what is quoted by `$$` stands in `body` instead. */
  text: string;
  /** The first thing quoted by `$$`, or by `$name$`: of a function, or of a DO block. */
  body: string;
  /** The comments since the statement before. */
  comments: string;
  /** The line where the statement begins, from 1. */
  line: number;
};

/** A comment, a string, a name, a quoted body, or any other character. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$([\s\S]*?)\$\1\$|[\s\S]/g;

/** Splits a script into its statements, as far as Postgres' own SQL goes. Comments after the last statement are lost. */
export function splitSql(sql: string): Statement[] {
  const statements: Statement[] = [];
  const fresh = () => ({ text: '', body: '', comments: '', line: 0 });
  let current = fresh();
  let line = 1;
  const end = () => {
    const text = current.text.replace(/\s+/g, ' ').trim();
    if (text) {
      statements.push({ ...current, text });
      current = fresh();
    }
  };
  for (const match of sql.matchAll(TOKEN)) {
    const [token, , body] = match;
    if (token.startsWith('--') || token.startsWith('/*')) current.comments += `${token}\n`;
    else if (token === ';') end();
    else {
      if (current.line === 0 && token.trim()) current.line = line;
      if (body !== undefined) current.body ||= body;
      current.text += body === undefined ? token : '$$';
    }
    line += token.split('\n').length - 1;
  }
  end();
  return statements;
}
