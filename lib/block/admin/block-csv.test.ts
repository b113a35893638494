import { describe, expect, it } from 'vitest';
import { CSV_HEAD, parseBlocks, toCsvLine } from './block-csv';

const HEAD = 'kind,value,reason,expires_at\n';

describe('blocks as CSV', () => {
  it('[G8] an export can be imported', () => {
    const view = {
      id: '1',
      kind: 'ip' as const,
      value: '10.0.0.0/8',
      reason: '=bad, "very"\nbad',
      by: 'rule:x',
      createdAt: 0,
      expiresAt: 1_900_000_000_123,
      liftedAt: null,
      liftedBy: null,
    };
    const text = CSV_HEAD + toCsvLine(view) + toCsvLine({ ...view, expiresAt: null });
    expect(text).toContain(`"'=bad, ""very""`);
    const { kind, value, reason, expiresAt } = view;
    const request = { kind, value, reason, by: 'me', expiresAt };
    expect(parseBlocks(text, 'me')).toEqual({
      status: 'parsed',
      rows: [
        { line: 2, request },
        { line: 4, request: { ...request, expiresAt: null } },
      ],
    });
  });

  it('[G8] names the line and what is wrong with it, and takes the others', () => {
    const lines = [
      'user,u,,',
      'planet,u,r,',
      'user,u,r,tomorrow',
      'user,u,r,2030-01-01',
      'USER, u ,r',
      'user,u,r,1e3',
    ];
    const parsed = parseBlocks(HEAD + lines.join('\n'), 'me');
    if (parsed.status !== 'parsed') throw new Error(parsed.status);
    expect(
      parsed.rows.map((row) => ('problem' in row ? [row.line, row.problem] : row.request.value)),
    ).toEqual([[2, 'reason'], [3, 'kind'], [4, 'expires_at'], 'u', 'u', [7, 'expires_at']]);
  });

  it('[G8] of another shape is refused as a whole', () => {
    expect(parseBlocks(`${HEAD}"user`, 'me')).toEqual({ status: 'malformed', line: 2 });
    for (const text of ['', 'user,u,r,\n'])
      expect(parseBlocks(text, 'me')).toEqual({
        status: 'no_columns',
        missing: ['kind', 'value', 'reason'],
      });
    expect(parseBlocks(HEAD + 'user,u,r,\n'.repeat(10_001), 'me')).toEqual({ status: 'too_many' });
    expect(parseBlocks('reason,kind,value\nr,user,u', 'me')).toMatchObject({
      status: 'parsed',
      rows: [{ line: 2 }],
    });
  });
});
