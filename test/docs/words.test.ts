import fs from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { readPages, readSourcePages, root } from './pages.ts';

// Words of our old dialect that must not appear in texts for readers, with their plain replacements.

const words: Readonly<Record<string, RegExp>> = {
  'say who is notified, or what is shown':
    /\b(?:is|are|was|were|be|been|being|gets?|got) told\b(?! apart)|\btold of\b/i,
  'no one, or a sentence with another subject': /\bnobody\b/i,
  'someone, or a sentence with another subject': /\b(?:some|every|any)body\b/i,
  'the user who …, or anyone who …': /\b(?:whoever|whosoever|who asks|who calls|what is asked)\b/i,
  forecast: /\bfore(?:told|tells?|telling)\b/i,
  'fix, repair or correct': /\bmend(?:s|ed|ing)?\b/i,
  again: /\banew\b/i,
  'differ, or fall outside': /\bstray(?:s|ed|ing)?\b/i,
  'comma-separated': /\bafter (?:commas|each other)\b/i,
  expected: /\blet expect\b/i,
  'compared with': /\bheld against\b/i,
  'discarded, or deleted': /\btaken? (?:away|back) (?:from|again)\b|\blet go\b/i,
  'connected first': /\bspoken to\b/i,
  'per month': /\ba month, by\b/i,
  'round-robin': /\bin turns?\b/i,
  unless: /\bsave for\b|\bbut for\b/i,
  'ends, or stops working': /\bend(?:s|ed)? with (?:it|that)\b/i,
  called: /\bit is called here\b/i,
  shall: /\bshall\b/i,
  exactly: /\bto the last (?:cent|digit)\b/i,
  'is interrupted, or closes': /\bbr(?:oke|eaks) off\b/i,
  truncated: /\bcut off\b(?! to)/i,
  'returned the same page twice': /\bcome again\b|\bpage after page\b/i,
  'supports, or uses': /\b(?:not|does) speaks?\b/i,
  valid: /\bstays? good\b|\bnot good at\b/i,
  'as used, required or shown': /\bas (?:it|its name|AWS|FOCUS) says\b/i,
  'before continuing': /\bbefore you go on\b/i,
  'does not show': /\bsays? nothing\b|\bdo(?:es)? not say (?:who|wh|that)/i,
};

interface Text {
  readonly where: string;
  readonly text: string;
}

/** The Unix user, not a person. */
const unixUser = /^nobody$|`nobody`/g;

/** Every text with such a word, as `where: "text": replacement`. */
function dialectIn(texts: readonly Text[]): string[] {
  return texts.flatMap(({ where, text: whole }) =>
    Object.entries(words).flatMap(([better, pattern]) => {
      const text = whole.replaceAll(unixUser, '');
      const found = pattern.exec(text);
      const around = found && text.slice(Math.max(0, found.index - 40), found.index + 60).replaceAll('\n', ' ');
      return around ? [`${where}: "${around}": write ${better}`] : [];
    }),
  );
}

/** The texts of a tree such as a parsed file. */
function* textsOf(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, value } = { type: '', value: null as unknown, ...node };
  if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') yield value;
  if (type === 'TemplateElement') yield (value as { cooked?: string }).cooked ?? '';
  for (const [key, child] of Object.entries(node)) if (key !== 'parent' && key !== 'source') yield* textsOf(child);
}

function textsOfCode(folder: string): Text[] {
  const names = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const tree = parseAst(fs.readFileSync(path.join(root, file), 'utf8'), {
        lang: name.endsWith('x') ? 'tsx' : 'ts',
      });
      return [...textsOf(tree)].map((text) => ({ where: file, text }));
    });
}

function* stringsOf(json: unknown): Generator<string> {
  if (typeof json === 'string') yield json;
  else if (typeof json === 'object' && json !== null) for (const value of Object.values(json)) yield* stringsOf(value);
}

const server = fs
  .readdirSync(path.join(root, 'src'))
  .filter((name) => name !== 'console')
  .map((name) => `src/${name}`);

describe('plain words', () => {
  it('are used in the documentation', () => {
    const texts = [...readPages(), ...readSourcePages()].map(({ file, text }) => ({ where: file, text }));
    expect(dialectIn(texts)).toEqual([]);
  });

  it('are used in the descriptions of the GraphQL schema', () => {
    const schema = fs.readFileSync(path.join(root, 'schema/schema.graphql'), 'utf8');
    const descriptions = schema.match(/"""[\s\S]*?"""/g) ?? [];
    expect(descriptions.length).toBeGreaterThan(1000);
    expect(dialectIn(descriptions.map((text) => ({ where: 'schema.graphql', text })))).toEqual([]);
  });

  it('are used in the OpenAPI document', () => {
    const document: unknown = JSON.parse(fs.readFileSync(path.join(root, 'schema/openapi.json'), 'utf8'));
    expect(dialectIn([...stringsOf(document)].map((text) => ({ where: 'openapi.json', text })))).toEqual([]);
  });

  it('are used in the messages of the server', () => {
    const texts = server.filter((one) => fs.statSync(path.join(root, one)).isDirectory()).flatMap(textsOfCode);
    expect(texts.length).toBeGreaterThan(10_000);
    expect(dialectIn(texts)).toEqual([]);
  });

  it('are used in the console', () => {
    const texts = textsOfCode('src/console');
    expect(texts.length).toBeGreaterThan(5_000);
    expect(dialectIn(texts)).toEqual([]);
  });
});
