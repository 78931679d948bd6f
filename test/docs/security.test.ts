import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import levels from './asvs-5.0.0.json' with { type: 'json' };
import { readPage, root } from './pages.ts';

// docs/security.md has all requirements of OWASP ASVS 5.0.0 of levels 1 and 2, whose numbers are in asvs-5.0.0.json.

const states = ['met', 'operator', 'not applicable', 'not met'];

interface Row {
  readonly numbers: readonly string[];
  readonly words: string;
  readonly state: string;
  readonly proof: string;
}

const { prose } = readPage('docs/security.md');
const chapters = prose.split(/^## (?=V\d+ )/m).slice(1);

function rowsOf(chapter: string): Row[] {
  const lines = [...chapter.matchAll(/^\| (\d[\d., ]*?) *\| (.*?) *\| (.*?) *\| (.*?) *\|$/gm)];
  return lines.map(([, numbers = '', words = '', state = '', proof = '']) => ({
    numbers: numbers.split(', '),
    words,
    state,
    proof,
  }));
}

const rows = chapters.flatMap(rowsOf);

/** Files named in the cell of a proof. */
function filesIn(proof: string): string[] {
  return [...proof.matchAll(/`((?:src|test|schema|\.ci)\/[^`]+|[A-Z]+\.md)`/g)].map(([, file = '']) => file);
}

describe('the security ledger', () => {
  it('has each requirement of levels 1 and 2 once, in its chapter', () => {
    const numbers = rows.flatMap((row) => row.numbers);
    expect(numbers.toSorted()).toEqual([...levels[1], ...levels[2]].toSorted());
    for (const chapter of chapters) {
      const [, number = ''] = /^V(\d+) /.exec(chapter) ?? [];
      for (const row of rowsOf(chapter))
        for (const one of row.numbers) expect(one.startsWith(`${number}.`), `${one} in V${number}`).toBe(true);
    }
  });

  it('has known states, and counts them', () => {
    const count = Object.fromEntries(states.map((state) => [state, 0]));
    for (const { numbers, state } of rows) {
      expect(states).toContain(state);
      count[state] = (count[state] ?? 0) + numbers.length;
    }
    for (const [state, number] of Object.entries(count))
      expect(prose).toMatch(new RegExp(`^\\| ${state} +\\| .* \\| ${number} +\\|$`, 'm'));
  });

  it('proves each met requirement by a file or a documented section', () => {
    const unproven = rows.filter(
      ({ state, proof }) => state === 'met' && filesIn(proof).length === 0 && !/\]\([\w-]+\.md#/.test(proof),
    );
    expect(unproven.map(({ numbers, proof }) => `${numbers.join()}: ${proof}`)).toEqual([]);
  });

  it('gives a reason for everything else', () => {
    const reasonOf = ({ proof }: Row) => proof.replaceAll(/`[^`]*`/g, '').trim();
    const bare = rows.filter((row) => row.state !== 'met' && reasonOf(row).length < (row.state === 'not met' ? 60 : 4));
    expect(bare.map(({ numbers }) => numbers)).toEqual([]);
  });

  it('names only existing files, and tests that run', () => {
    const files = rows.flatMap(({ proof }) => filesIn(proof));
    expect(files.length).toBeGreaterThan(150);
    expect(files.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
    const isTest = (file: string) => file.endsWith('.test.ts');
    const idle = files.filter(isTest).filter((file) => !/\bit\b/.test(fs.readFileSync(path.join(root, file), 'utf8')));
    expect(idle).toEqual([]);
  });

  it('remains readable', () => {
    expect(rows.filter(({ words }) => words.length > 80).map(({ numbers }) => numbers)).toEqual([]);
    expect(rows.filter(({ proof }) => proof.length > 300).map(({ numbers }) => numbers)).toEqual([]);
  });
});
