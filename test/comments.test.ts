import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const FOLDERS = ['app', 'components', 'deploy', 'e2e', 'i18n', 'inngest', 'lib', 'scripts', 'test', 'tools'];
const MOST_WORDS = 60;
/** Begins a comment with its topic or with a riddle: say the thing itself, subject first. */
const INDIRECT = /^(?:Of|What|Who|Whoever|Nobody|Whether|Without|Somebody)\b/;

/** Lines of one block, a block comment, and a comment behind code, in this order. */
const TS = /^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*|(?<=^|[\s{(,])\/\*+(?=\s)[\s\S]*?\*\/|(?<=\s)\/\/ .*/gm;
const LUA = /^[ \t]*--(?![[@]).*(?:\n[ \t]*--(?![[@]).*)*|^--\[\[[\s\S]*?\]\]|(?<=\s)-- .*/gm;
const MARKS = /^[ \t]*(?:\/\*+|\*+\/?|\/\/|--(?:\[\[)?)[ \t]?|(?:\*\/|\]\])$/gm;
/** Tags, and the parameters of a script, which its header lists. */
const TAGS = /(?:^|\s)@[a-z]|^(?:KEYS|ARGV)\[/m;

type Comment = { at: string; text: string; words: number };

function commentsOf(file: string): Comment[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(file.endsWith('.lua') ? LUA : TS)].map(({ index, 0: raw }) => {
    const text = raw.replace(MARKS, '').trim();
    const line = source.slice(0, index).split('\n').length;
    const [prose = ''] = text.split(TAGS);
    return { at: `${file}:${line}`, text, words: prose.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0 };
  });
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.(?:tsx?|mjs|lua)$/.test(file) && !file.includes('node_modules/')),
);
const comments = files.flatMap(commentsOf);

/** Returns the comments that break a rule, with their places and first words. */
const listed = (breaks: (comment: Comment) => boolean): string[] =>
  comments
    .filter(breaks)
    .map(({ at, text, words }) => `${at} (${words} words) ${text.slice(0, 60).replace(/\s+/g, ' ')}`);

describe('comments', () => {
  it('are all looked at', () => {
    for (const folder of FOLDERS)
      expect(
        comments.some(({ at }) => at.startsWith(`${folder}/`)),
        folder,
      ).toBe(true);
    expect(comments.some(({ at }) => at.includes('.lua:'))).toBe(true);
    expect(comments.length).toBeGreaterThan(5_000);
  });

  it('say the thing itself: none begins with Of, What, Who, Whether or their like', () => {
    expect(listed(({ text }) => INDIRECT.test(text))).toEqual([]);
  });

  it(`have at most ${MOST_WORDS} words; longer reasons belong into a decision record`, () => {
    expect(listed(({ words }) => words > MOST_WORDS)).toEqual([]);
  });
});
