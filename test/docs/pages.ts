import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** A fenced block of a page. */
export interface Block {
  /** The language and anything after it: `sh no-run`. */
  readonly info: string;
  readonly text: string;
}

/** A page of the documentation. */
export interface Page {
  /** Relative to the repository: `docs/api.md`. */
  readonly file: string;
  readonly text: string;
  /** The text without fenced blocks. */
  readonly prose: string;
  readonly blocks: readonly Block[];
}

const fence = /^```(?<info>[^\n]*)\n(?<text>.*?)^```$/gms;

/** Reads one page.
 *  @param file relative to the repository */
export function readPage(file: string): Page {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const blocks = [...text.matchAll(fence)].map(({ groups }) => ({
    info: groups?.['info'] ?? '',
    text: groups?.['text'] ?? '',
  }));
  return { file, text, prose: text.replace(fence, ''), blocks };
}

/** The pages that users, operators and contributors read, the start page first. */
export function readPages(): Page[] {
  const inDocs = fs.readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...inDocs.map((name) => `docs/${name}`),
  ];
  return files.map(readPage);
}

/** The READMEs of the source folders. */
export function readSourcePages(): Page[] {
  const names = fs.readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => path.basename(name) === 'README.md').map((name) => readPage(`src/${name}`));
}

/** The anchors that GitHub generates from the headings of a page. */
export function anchorsOf({ prose }: Page): Set<string> {
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')));
}
