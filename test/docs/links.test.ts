import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrows } from '../support/arrows.ts';
import { anchorsOf, readPage, readPages, readSourcePages, root, type Page } from './pages.ts';

const documents = readPages();
const sources = readSourcePages();

interface Link {
  readonly from: string;
  readonly target: string;
}

/** Links and images to other pages and files of the repository. */
function relativeLinks({ file, prose }: Page): Link[] {
  const found = [...prose.matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(({ groups }) => groups?.['target'] ?? '');
  return found.filter((target) => !/^[a-z]+:/.test(target)).map((target) => ({ from: file, target }));
}

/** Why a link is broken; null if it works. */
function deadEnd({ from, target }: Link): string | null {
  const [name = '', anchor] = target.split('#');
  const file = name === '' ? from : path.join(path.dirname(from), name);
  if (!fs.existsSync(path.join(root, file))) return `${from}: ${target} does not exist`;
  if (anchor === undefined || anchorsOf(readPage(file)).has(anchor)) return null;
  return `${from}: ${target} has no such heading`;
}

/** Files and folders of the repository that a page names. */
function pathsIn(page: Page): string[] {
  const named = page.prose.matchAll(/`(?<path>(?:src|test|prisma|schema|docs|\.ci)(?:\/[\w./-]+)?)`/g);
  return [...named].map(({ groups }) => groups?.['path'] ?? '');
}

/** Functions that a page names after their file: `src/app.ts` (`createApp`). */
function functionsIn({ prose }: Page): { file: string; name: string }[] {
  const found = prose.matchAll(/`(?<file>src\/[\w./-]+\.tsx?)`\s+\((?<names>`\w+`(?:, `\w+`)*)\)/g);
  return [...found].flatMap(({ groups }) =>
    [...(groups?.['names'] ?? '').matchAll(/\w+/g)].map(([name]) => ({ file: groups?.['file'] ?? '', name })),
  );
}

function isIn({ file, name }: { file: string; name: string }): boolean {
  const text = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : '';
  return new RegExp(`^export .*\\b${name}\\b`, 'm').test(text);
}

describe('documentation', () => {
  it('links only to existing files and headings', () => {
    const links = [...documents, ...sources].flatMap(relativeLinks);
    expect(links.length).toBeGreaterThan(50);
    expect(links.flatMap((link) => deadEnd(link) ?? [])).toEqual([]);
  });

  it('names only existing files and folders', () => {
    const named = documents.flatMap((page) => pathsIn(page).map((name) => ({ page: page.file, name })));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ name }) => !fs.existsSync(path.join(root, name)))).toEqual([]);
  });

  it('names only functions exported by their file', () => {
    const named = documents.flatMap(functionsIn);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !isIn(one))).toEqual([]);
  });

  it('links every page from the start page', () => {
    const start = readPage('docs/README.md');
    const linked = new Set(relativeLinks(start).map(({ target }) => path.join('docs', target)));
    const pages = documents.map(({ file }) => file).filter((file) => file.startsWith('docs/') && file !== start.file);
    expect(pages.filter((file) => !linked.has(file))).toEqual([]);
  });

  it('starts with what Costkeep is, and the two commands that run it and its tests', () => {
    const { text, blocks } = readPage('README.md');
    expect(text).toMatch(/^# Costkeep\n\nCostkeep is /);
    const commands = blocks.filter(({ info }) => info.startsWith('sh')).map((block) => block.text.trim());
    expect(commands).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
    expect(text.split('\n').length).toBeLessThanOrEqual(150);
  });

  it('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = documents.flatMap(({ text }) =>
      [...text.matchAll(/\bnpm (?:--prefix \S+ )?run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

/** Example files that a README shows how to write. */
const examples = new Set(['json.ts']);

/** The areas, and parts of areas, listed after "May import", sorted. */
function mayImport({ prose }: Page): string[] {
  const [, sentence = ''] = /May import:(.*?)(?:\n\n|\.\s*\n|$)/s.exec(prose) ?? [];
  const names = [...sentence.matchAll(/`(\w+(?:\/[\w-]+)?)`/g)].map(([, name = '']) => name);
  return names.filter((name) => Object.hasOwn(arrows, name.split('/')[0] ?? '')).sort();
}

/** The areas, and parts of tenancy, imported by the files of a folder. */
function importedBy(folder: string): string[] {
  const files = fs.readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((name) => {
    const source = fs.readFileSync(path.join(root, folder, name), 'utf8');
    return [...source.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => path.join(folder, target).split('/'));
  });
  const inSource = found.filter(([top]) => top === 'src');
  return [...new Set(inSource.map(([, area = '', part = '']) => (area === 'tenancy' ? `tenancy/${part}` : area)))];
}

describe('folder README', () => {
  it('names only existing files', () => {
    const files = fs.readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const missing = sources.flatMap(({ file, prose }) => {
      const folder = path.dirname(path.relative('src', file));
      const named = [...prose.matchAll(/`(?<path>[\w-]+(?:\/[\w-]+)*\.(?:tsx?|json|md))`/g)];
      const names = named.map(({ groups }) => groups?.['path'] ?? '').filter((name) => !examples.has(name));
      const isThere = (name: string) =>
        fs.existsSync(path.join(root, name)) ||
        files.some((one) => one === name || (one.startsWith(`${folder}/`) && one.endsWith(`/${name}`)));
      // Names that occur in every area, such as graphql.ts.
      const isCommon = (name: string) => files.filter((one) => path.basename(one) === name).length > 2;
      return names.filter((name) => !isThere(name) && !isCommon(name)).map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(arrows))('lists the areas that %s may import', (area, allowed) => {
    expect(mayImport(readPage(`src/${area}/README.md`))).toEqual([...allowed].sort());
  });

  it('lists every import of a part of tenancy', () => {
    const parts = sources.filter(({ file }) => file.startsWith('src/tenancy/') && file !== 'src/tenancy/README.md');
    const unnamed = parts.flatMap((page) => {
      const own = path.dirname(page.file);
      const named = mayImport(page);
      return importedBy(own)
        .filter((one) => one !== own.replace('src/', '') && !named.includes(one))
        .map((one) => `${own}: ${one}`);
    });
    expect(parts.length).toBeGreaterThan(10);
    expect(unnamed).toEqual([]);
  });
});
