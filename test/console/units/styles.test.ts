import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const assets = new URL('../../../dist/console/assets/', import.meta.url);
const mantine = new URL('../../../node_modules/@mantine/core/styles.layer.css', import.meta.url);

/** Class names of Mantine in a text. */
function classesIn(text: string): Set<string> {
  return new Set(text.match(/\bm_[0-9a-f]+\b/g));
}

function built(ending: string): string {
  const names = readdirSync(assets).filter((name) => name.endsWith(ending));
  return names.map((name) => readFileSync(new URL(name, assets), 'utf8')).join('\n');
}

it('builds the styles of every Mantine component in use', () => {
  const used = classesIn(built('.js')).intersection(classesIn(readFileSync(mantine, 'utf8')));
  expect(used.size).toBeGreaterThan(100);
  expect([...used.difference(classesIn(built('.css')))]).toEqual([]);
});
