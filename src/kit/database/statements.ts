/** Splits an SQL script into statements, without their semicolons. Comments are kept; pieces without code are
 *  dropped. Handles strings, quoted identifiers, dollar quotes, nested comments and `BEGIN ATOMIC … END` bodies
 *  (PostgreSQL lexical structure, section 4.1).
 *  @throws {Error} if a quote or comment is not closed */
export function splitStatements(script: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let hasCode = false;
  let depth = 0;
  for (let at = 0; at < script.length;) {
    const { end, kind } = tokenAt(script, at);
    if (kind === 'semicolon' && depth === 0) {
      if (hasCode) statements.push(script.slice(start, at).trim());
      start = end;
      hasCode = false;
    } else if (kind !== 'space') {
      hasCode = true;
      if (kind === 'word') depth = atomicDepth(depth, script.slice(at, end).toLowerCase(), script.slice(start, at));
    }
    at = end;
  }
  if (hasCode) statements.push(script.slice(start).trim());
  return statements;
}

type Kind = 'space' | 'semicolon' | 'word' | 'other';

interface Token {
  /** Offset after the token. */
  readonly end: number;
  readonly kind: Kind;
}

/** Token patterns, matched in order. Each expression is sticky. */
const TOKENS: readonly (readonly [RegExp, Kind])[] = [
  [/\s+/y, 'space'],
  [/--[^\n]*/y, 'space'],
  [/;/y, 'semicolon'],
  // Only in an E string does a backslash escape the quote.
  [/[eE]'(?:[^'\\]|\\[^]|'')*'/y, 'other'],
  [/'(?:[^']|'')*'/y, 'other'],
  [/"(?:[^"]|"")*"/y, 'other'],
  [/\$([\p{L}_][\p{L}\p{N}_]*)?\$[^]*?\$\1\$/uy, 'other'],
  [/[\p{L}_][\p{L}\p{N}_$]*/uy, 'word'],
  [/[\p{N}.]+/uy, 'other'],
];

function tokenAt(script: string, at: number): Token {
  if (script.startsWith('/*', at)) return { end: commentEnd(script, at), kind: 'space' };
  for (const [pattern, kind] of TOKENS) {
    pattern.lastIndex = at;
    if (pattern.test(script)) return { end: pattern.lastIndex, kind };
  }
  // A parameter such as $1 is not a quote; any other opening quote was not matched above because it is never closed.
  if (/['"]/.test(script.charAt(at)) || /^\$([\p{L}_][\p{L}\p{N}_]*)?\$/u.test(script.slice(at)))
    throw unclosed(script, at);
  return { end: at + 1, kind: 'other' };
}

/** SQL comments nest, unlike C's. */
function commentEnd(script: string, at: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  let depth = 0;
  for (let mark = marks.exec(script); mark; mark = marks.exec(script)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  throw unclosed(script, at);
}

/** Semicolons inside the body of an SQL-standard function are not separators; it may contain CASE … END. */
function atomicDepth(depth: number, word: string, before: string): number {
  if (depth === 0) return word === 'atomic' && /\bbegin\s+$/i.test(before) ? 1 : 0;
  if (word === 'case') return depth + 1;
  return word === 'end' ? depth - 1 : depth;
}

function unclosed(script: string, at: number): Error {
  const line = script.slice(0, at).split('\n').length;
  return new Error(`A block, quote or comment that opens on line ${line} is not closed: ${script.slice(at, at + 40)}`);
}
